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
		"--model NAME goes without /v1/models")
}

func unreachable(e *endpoint.Endpoint, err error) error {
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeUnreachable, err),
		"is the server up, and the address right? "+curlModels(e.Name())+" tells", "run the same command again later")
}

// curlModels is a command that asks a server for its models.
func curlModels(server string) string {
	socket, ok := strings.CutPrefix(server, "unix:")
	if !ok {
		return "curl " + server + "/v1/models"
	}
	socket, prefix, _ := strings.Cut(socket, ":")
	return "curl --unix-socket " + quoteShell(socket) + " http://localhost" + prefix + "/v1/models"
}

// keyHint is what to try after a 401 or 403.
func keyHint(e *endpoint.Endpoint) string {
	if e.Authorized() {
		return "the server takes no request with this key: is it the right one, and for this server?"
	}
	return "--api-key-env NAME sends the key that is in the environment variable NAME"
}
