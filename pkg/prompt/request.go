package prompt

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// request collects the fields of a body; a field set again keeps its place.
type request struct {
	api      API
	fields   []Field
	sampling []Field // of SGLang's /generate
}

// generateFields are the fields of SGLang's /generate beside sampling_params
// (GenerateReqInput in sglang/srt/managers/io_struct.py); all others are
// sampling parameters there.
var generateFields = map[string]bool{
	"text": true, "input_ids": true, "sampling_params": true, "stream": true, "rid": true,
	"return_logprob": true, "logprob_start_len": true, "top_logprobs_num": true, "token_ids_logprob": true,
	"return_text_in_logprobs": true, "return_hidden_states": true, "lora_path": true, "priority": true,
	"image_data": true, "video_data": true, "audio_data": true, "custom_logit_processor": true, "require_reasoning": true,
}

func (r *request) setAll(fields []Field) {
	for _, f := range fields {
		r.set(f.Key, f.Value)
	}
}

func (r *request) set(key string, value []byte) {
	if r.api == Responses && (key == "max_tokens" || key == "max_completion_tokens") {
		key = "max_output_tokens"
	}
	if r.api != Generate || generateFields[key] {
		r.fields = set(r.fields, key, value)
		return
	}
	if key == "max_tokens" || key == "max_completion_tokens" {
		key = "max_new_tokens"
	}
	if key == "seed" {
		key = "sampling_seed"
	}
	r.sampling = set(r.sampling, key, value)
}

func set(fields []Field, key string, value []byte) []Field {
	for i := range fields {
		if fields[i].Key == key {
			fields[i].Value = value
			return fields
		}
	}
	return append(fields, Field{key, value})
}

// deriveSeed gives a sample a seed of its own.
func (r *request) deriveSeed(sample int) {
	fields, key := &r.fields, "seed"
	if r.api == Generate {
		fields, key = &r.sampling, "sampling_seed"
	}
	base, err := int64(0), strconv.ErrSyntax
	for _, f := range *fields {
		if f.Key == key {
			base, err = strconv.ParseInt(string(f.Value), 10, 64)
		}
	}
	if err != nil {
		sum := sha256.Sum256(r.append(nil))
		base = int64(binary.BigEndian.Uint32(sum[:]) >> 1)
	}
	*fields = set(*fields, key, strconv.AppendInt(nil, base+int64(sample), 10))
}

func (r *request) append(dst []byte) []byte {
	fields := r.fields
	if len(r.sampling) > 0 {
		fields = set(fields, "sampling_params", appendObject(nil, r.sampling))
	}
	return appendObject(dst, fields)
}

func appendObject(dst []byte, fields []Field) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendString(dst, f.Key)
		dst = append(append(dst, ':'), f.Value...)
	}
	return append(dst, '}')
}
