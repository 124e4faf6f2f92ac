package reasoning

// where is the knob Start with what is known of the answer filled in: the
// switch, the prompt, and the markers that are there.
func (s *splitter) where(known Facts) Start {
	s.on = s.Thinking == Yes
	if known.Thinking == Unknown && s.rules.Silent != SilentByFamily {
		s.on = s.rules.Silent == SilentOn
	}
	forced := known.PromptOpen == Yes || s.on && (known.PromptOpen == Unknown || known.Thinking == Yes)
	switch {
	case !s.on && s.rules.Off == OffWhole, s.rules.Frame == FrameWhole && !s.whole():
		return StartNever
	case s.rules.Start == StartForced && !forced:
		open, _ := s.findOpen(0)
		forced = open >= 0
	case s.rules.Start != StartSwitched && s.rules.Start != StartForced:
		return s.rules.Start
	}
	if forced {
		return StartInThought
	}
	return StartInAnswer
}

// whole reports whether all markers of the family are there.
func (s *splitter) whole() bool {
	_, open := s.findOpen(0)
	if open < 0 {
		return false
	}
	start, closer := s.findClose(open)
	return start >= 0 && (s.family.AnswerOpen == nil || matchAny(s.text, s.family.AnswerOpen, s.text.SkipSpace(closer)) >= 0)
}
