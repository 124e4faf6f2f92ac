"""The peer: a script as people write it. json.loads a line, split at the closing
marker, json.dumps; or, with "validate" and "samples", count empty reasoning only.

    peer.py extract|validate|samples FILE
"""
import io
import json
import sys


def split(message):
    content, reasoning = message["content"], message.get("reasoning_content")
    if reasoning is None and "</think>" in content:
        reasoning, content = content.split("</think>", 1)
        reasoning = reasoning.strip()
        if reasoning.startswith("<think>"):
            reasoning = reasoning[7:].strip()
        content = content.strip()
    return reasoning or "", content


def lines(name):
    f = open(name, "rb")
    if name.endswith(".zst"):
        import zstandard
        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(f, read_across_frames=True), 1 << 20)
    return f


job, name = sys.argv[1:]
empty = 0
for line in lines(name):
    record = json.loads(line)
    if job == "samples":
        empty += not record["reasoning"].strip()
        continue
    body = record["response"]["body"]
    choice = body["choices"][0]
    reasoning, content = split(choice["message"])
    if job == "validate":
        empty += not reasoning.strip()
        continue
    sys.stdout.write(json.dumps({"id": record["custom_id"], "messages": record["request"]["body"]["messages"],
                                 "reasoning": reasoning, "content": content, "finish_reason": choice["finish_reason"],
                                 "model": body["model"], "usage": body["usage"]}, ensure_ascii=False) + "\n")
if job != "extract":
    print(empty, "empty", file=sys.stderr)
