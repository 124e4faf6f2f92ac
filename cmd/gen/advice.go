package main

import (
	"errors"
	"fmt"
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
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s: %w", e.Name(), err)), "--model NAME names the model")
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

// keyHint is what to try after a 401 or 403.
func keyHint(e *endpoint.Endpoint) string {
	if e.Authorized() {
		return "the server takes no request with this key: is it the right one, and for this server?"
	}
	return "--api-key-env NAME sends the key that is in the environment variable NAME"
}
