"""Makes the calls of a table (test/clients/calls.jsonl), and prints what the client answers, a line for each."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))

from frames_client import Client, FramesError  # noqa: E402

for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    try:
        with Client(row["url"], row["key"], max_wait=2) as client:
            if "frames" in row:
                answer = [frame["id"] for frame in client.frames(**row["frames"])]
            elif "get" in row:
                answer = client.get(row["get"], **row.get("given", {}))
            else:
                answer = client.tool(row["tool"], **row["given"])
        print(json.dumps({"answer": answer}))
    except FramesError as error:
        print(json.dumps({"error": error.code, "status": error.status}))
