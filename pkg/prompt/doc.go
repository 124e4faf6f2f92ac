// Package prompt turns a line of prompts, in any of the shapes people keep them
// in, into the body of a request.
//
// [Reader.Read] recognises the shape of one line and finds its id, what is
// asked and what else travels with it; [Builder.Body] makes the request of it:
// flags give way to the lane's settings, those to a Batch line's body, those to
// the prompt's own params. What is only carried (messages, tools, meta) keeps
// its bytes.
//
// Of a conversation whose answers are to be made anew ([AllTurns]) Body makes the
// request of the first turn; [Builder.Turn] makes those of the others from the answers
// so far, for which a [History] says what goes back, and the recorded [Script]:
//
//	body, api, err := builder.Body(&p, nil, 0)
//	for turn := 0; ; turn++ {
//		sample := ask(body)
//		if turn == p.Asked.Script.Len()-1 {
//			break
//		}
//		answer, err := history.Answer(sample)
//		answers = append(answers, answer)
//		body, err = builder.Turn(first, api, p.Asked.Script, answers)
//	}
//
// [Continue] makes the request that goes on with an answer that was cut.
package prompt
