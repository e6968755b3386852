"""Streams of the official Python clients.

Reads `{url, key, models, tools}` from standard input and writes a list of what each client made of
each model, as test/support/shapes/client-run.ts has it.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from anthropic import Anthropic
from openai import OpenAI

job = json.load(sys.stdin)
url, key = job["url"], job["key"]
openai = OpenAI(api_key=key, base_url=url, max_retries=0)
anthropic = Anthropic(api_key=key, base_url=url.removesuffix("/v1"), max_retries=0)

schema = {"type": "object"}
hello = [{"role": "user", "content": "Hello"}]
chat_tools = [
    {"type": "function", "function": {"name": name, "parameters": schema}} for name in job["tools"]
]
responses_tools = [
    {"type": "function", "name": name, "parameters": schema, "strict": False}
    for name in job["tools"]
]
messages_tools = [{"name": name, "input_schema": schema} for name in job["tools"]]


def call(name, arguments):
    return {"name": name, "arguments": json.loads(arguments)}


def chat(model):
    with openai.chat.completions.stream(model=model, messages=hello, tools=chat_tools) as stream:
        for _ in stream:
            pass
        message = stream.get_final_completion().choices[0].message
    return {
        "text": message.content or "",
        "calls": [call(c.function.name, c.function.arguments) for c in message.tool_calls or []],
        "cites": [a.url_citation.url for a in message.annotations or []],
    }


def responses(model):
    with openai.responses.stream(model=model, input="Hello", tools=responses_tools) as stream:
        for _ in stream:
            pass
        final = stream.get_final_response()
    parts = [part for item in final.output if item.type == "message" for part in item.content]
    cited = [a for part in parts if part.type == "output_text" for a in part.annotations]
    return {
        "text": final.output_text,
        "calls": [call(c.name, c.arguments) for c in final.output if c.type == "function_call"],
        "cites": [a.url for a in cited if a.type == "url_citation"],
    }


def messages(model):
    with anthropic.messages.stream(
        model=model, messages=hello, tools=messages_tools, max_tokens=1000
    ) as stream:
        for _ in stream:
            pass
        content = stream.get_final_message().content
    texts = [block for block in content if block.type == "text"]
    cited = [each for block in texts for each in block.citations or []]
    return {
        "text": "".join(block.text for block in texts),
        "calls": [
            {"name": block.name, "arguments": block.input}
            for block in content
            if block.type == "tool_use"
        ],
        "cites": [each.url for each in cited if each.type == "web_search_result_location"],
    }


def failure(error):
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else {}
    return {
        "status": getattr(error, "status_code", None),
        "code": inner.get("code"),
        "message": f"{type(error).__name__}: {error}",
    }


def run(client, ask, model):
    got = {"client": client, "model": model, "text": "", "calls": [], "cites": [], "error": None}
    try:
        return {**got, **ask(model)}
    except Exception as error:
        return {**got, "error": failure(error)}


clients = {
    "openai-python chat": chat,
    "openai-python responses": responses,
    "anthropic-python": messages,
}
with ThreadPoolExecutor(len(clients)) as pool:
    every = [
        pool.submit(lambda c, ask: [run(c, ask, model) for model in job["models"]], *item)
        for item in clients.items()
    ]
    json.dump([one for each in every for one in each.result()], sys.stdout)
