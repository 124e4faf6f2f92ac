// Command onefield is the script that loses the thinking: it reads one fixed
// field, message.reasoning, of the archived answers. A server that keeps the
// thinking somewhere else gives it empty strings, and nothing says so. The demo
// runs it to show what the gate is for.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
)

type exchange struct {
	ID       string `json:"custom_id"`
	Error    any    `json:"error"`
	Response struct {
		Body struct {
			Choices []struct {
				Message struct {
					Reasoning string `json:"reasoning"`
					Content   string `json:"content"`
				} `json:"message"`
			} `json:"choices"`
		} `json:"body"`
	} `json:"response"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var x exchange
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			log.Fatal(err)
		}
		if x.Error != nil {
			continue
		}
		message := x.Response.Body.Choices[0].Message
		row := map[string]string{"id": x.ID, "reasoning": message.Reasoning, "content": message.Content, "finish_reason": "stop"}
		if err := out.Encode(row); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}
