"""The peer: a client as people write it. asyncio and aiohttp, as many workers as
requests in flight, one line of JSON an answer, nothing synced.

    aio.py URL PROMPTS CONCURRENCY OUT
"""
import asyncio
import json
import resource
import sys
import time

import aiohttp

url, prompts, concurrency, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def worker(session, lines, file):
    for line in lines:
        prompt = json.loads(line)
        body = {"model": "sim", "messages": [{"role": "user", "content": prompt["prompt"]}]}
        start = time.monotonic()
        async with session.post(url + "/v1/chat/completions", json=body) as response:
            answer = await response.json()
        total = (time.monotonic() - start) * 1000
        file.write(json.dumps({"custom_id": prompt["id"], "response": {"status_code": response.status, "body": answer},
                               "timing": {"total_ms": total}}, ensure_ascii=False) + "\n")


async def main():
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    with open(prompts) as lines, open(out, "w") as file:
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            await asyncio.gather(*(worker(session, lines, file) for _ in range(concurrency)))


asyncio.run(main())
