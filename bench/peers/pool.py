"""A worker pool on asyncio with one kept connection per worker, standard library only: pool.py FILE.jsonl FOLDER BASE_URL.

Keeps no state: whoever starts it again pays for everything again. No file is synced.
"""

import asyncio
import json
import os
import sys
import urllib.parse

file, out, base_url = sys.argv[1:]
workers = 64
address = urllib.parse.urlsplit(base_url)
key = "Authorization: Bearer benchmark\r\n"


class Connection:
    """HTTP/1.1 over one connection, answers with a content-length."""

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection(address.hostname, address.port)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def ask(self, method, path, headers="", body=b""):
        head = f"{method} {path} HTTP/1.1\r\nHost: {address.netloc}\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        await self.writer.drain()
        status, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        if " 200 " not in status:
            raise RuntimeError(f"{status} for {path}")
        lengths = [line.split(":")[1] for line in lines if line.lower().startswith("content-length:")]
        return await self.reader.readexactly(int(lengths[0]))


async def make_video(connection, name, row):
    body = json.dumps({"question": row["question"], "answer": row["answer"]}).encode()
    json_key = f"{key}Content-Type: application/json\r\n"
    task = json.loads(await connection.ask("POST", "/api/gen_video", json_key, body))["data"]["task_id"]
    while True:
        answer = json.loads(await connection.ask("GET", f"/api/get_status/{task}", key))["data"]
        if answer["status"] == "FAILED":
            raise RuntimeError(f"{name} failed")
        if answer["status"] == "COMPLETED":
            break
        await asyncio.sleep(30)
    folder = os.path.join(out, name)
    os.makedirs(os.path.join(folder, "frames"))
    links = {"video.mp4": answer["result"][0]["content"]}
    for index, frame in enumerate(answer["progress"], 1):
        links[f"frames/{index:03}.png"] = frame["image"]
    for target, link in links.items():
        parts = urllib.parse.urlsplit(link)
        content = await connection.ask("GET", f"{parts.path}?{parts.query}")
        with open(os.path.join(folder, target), "wb") as saved:
            saved.write(content)
    with open(os.path.join(folder, "task.json"), "w") as saved:
        json.dump(answer, saved)


async def work(rows):
    async with Connection() as connection:
        for number, line in rows:
            row = json.loads(line)
            await make_video(connection, row["id"] or f"row-{number}", row)


async def main():
    with open(file) as lines:
        rows = enumerate(lines, 1)
        await asyncio.gather(*(work(rows) for _ in range(workers)))


asyncio.run(main())
