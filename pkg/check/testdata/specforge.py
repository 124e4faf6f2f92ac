"""What SpecForge's validator takes, said in Python, for Go to be compared with:
a line in, "1" or "0" out for each of none, reasoning and no-reasoning, each
without and with strict markers."""
import json
import sys


def text(value):
    return isinstance(value, str) and value.strip() != ""


def marked(value):
    value = value.lower()
    return "<think>" in value or "</think>" in value


def takes(row, require, strict):
    if not text(row.get("id")) or row.get("status") != "success":
        return False
    messages = row.get("conversations")
    if not isinstance(messages, list) or not messages:
        return False
    turns = []
    for message in messages:
        if not isinstance(message, dict) or not text(message.get("content")):
            return False
        role = message.get("role")
        if role == "system" and not turns:
            continue
        if role != ("user", "assistant")[len(turns) % 2]:
            return False
        turns.append(message)
    if not turns or len(turns) % 2:
        return False
    for message in turns[1::2]:
        thought = message.get("reasoning_content")
        if thought is not None and not isinstance(thought, str):
            return False
        if require == "reasoning" and not text(thought) or require == "no-reasoning" and text(thought):
            return False
        if strict and (marked(message["content"]) or marked(thought or "")):
            return False
    return True


for line in sys.stdin.buffer:
    row = json.loads(line)
    print("".join("01"[isinstance(row, dict) and takes(row, require, strict)]
                  for require in ("optional", "reasoning", "no-reasoning") for strict in (False, True)))
