package main

import (
	"errors"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
)

// refusal judges the error of a server that was asked for its model.
func refusal(e *endpoint.Endpoint, err error, model string) error {
	var failure *endpoint.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failure):
		if model != "" {
			return nil
		}
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, err), "--model NAME names the model")
	case failure.Status == 0 || failure.Status == 429 || failure.Status >= 500:
		return unreachable(e, err)
	case failure.Status == 401 || failure.Status == 403:
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, err),
			keyHint(e))
	case model != "":
		return nil
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, err),
		"is the address right? curl "+toCurl(e, "/v1/models")+" tells; --model NAME goes without it")
}

func unreachable(e *endpoint.Endpoint, err error) error {
	if failure := (*endpoint.Error)(nil); errors.As(err, &failure) && strings.Contains(failure.Message, "x509:") {
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeUnreachable, err), "--ca-file FILE trusts the certificates in FILE, too, such as the server's own; its URL must have a name that is in it")
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeUnreachable, err),
		"is the server up, and the address right? curl "+toCurl(e, "/v1/models")+" tells", "run the same command again later")
}

// toCurl are curl's arguments for a path of a server.
func toCurl(e *endpoint.Endpoint, path string) string {
	url, socket := e.Shown(path)
	abstract, ok := strings.CutPrefix(socket, "@")
	switch {
	case ok:
		return "--abstract-unix-socket " + quoteShell(abstract) + " " + quoteShell(url)
	case socket != "":
		return "--unix-socket " + quoteShell(socket) + " " + quoteShell(url)
	}
	return quoteShell(url)
}

// refusalHint is what to try after a status that stops a run.
func refusalHint(e *endpoint.Endpoint, status int, path string) string {
	switch {
	case status == 401 || status == 403:
		return keyHint(e)
	case status == 402:
		return "the account behind the key has no credit left, or its limit is reached"
	case status == 407:
		return "the proxy of HTTP_PROXY or HTTPS_PROXY wants user and password in its URL; NO_PROXY names servers that need no proxy"
	case status/100 == 3:
		return "the server, or its path, is elsewhere: --server takes the URL it is at; curl -i " + toCurl(e, path) + " tells where"
	}
	return "the server has no " + path + " or no such model; --api and --model choose others"
}

// keyHint is what to try after a 401 or 403.
func keyHint(e *endpoint.Endpoint) string {
	if e.Authorized() {
		return "the server takes no request with this key: is it the right one, and for this server?"
	}
	return "--api-key-env NAME sends the key that is in the environment variable NAME"
}
