// Package cmdline is the front door of the four commands: one hardened
// command-line application, the flags that all share, opened inputs and
// outputs, reports of bad lines, and the one place that turns an error into an
// exit code.
//
// A command is a [Command] with a Run function that gets a [Session]:
//
//	func run(ctx context.Context, s *cmdline.Session) error {
//		out, err := s.Output() // -o FILE or standard output
//		if err != nil {
//			return err
//		}
//		return jsonl.Map(ctx, s.Inputs(), s.Options(), newWorker, func(b *jsonl.Block) error {
//			_, err := out.Write(b.Out) // and s.Records, s.Bad
//			return err
//		})
//	}
//
// Run returns; [Main] closes the outputs, tells the error and its hints, decides
// by [ExitCode], and gives files their names when that is 0. Wrong usage is
// [Usagef], another exit code [Failed], advice [WithHint]; what is left is 3.
// Session refuses outputs that are inputs or each other as far as all commands
// have them; a command adds its own with [Session.Distinct].
//
// Run must not write to standard output or error past the session, or what is
// told twice, unclean or in the middle of a progress line is its own doing.
//
// Messages have the form of the commands' contract: "file:line: id "x": cause"
// for a record, "extract: …" for the rest, "extract: hint: …" for advice.
package cmdline
