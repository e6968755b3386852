"""One conversation with tools of one Python client.

Reads `{client, url, key, picture, turns}` from standard input and writes what each turn ended with, as
test/conversations/play.ts has it.
"""

import json
import os
import sys

job = json.load(sys.stdin)
url, key, picture = job["url"], job["key"], job["picture"]
origin = url.removesuffix("/v1")

name, description = "look", "Looks at a place"
schema = {
    "type": "object",
    "properties": {"place": {"type": "string"}},
    "required": ["place"],
    "additionalProperties": False,
}
picked = f"data:image/png;base64,{picture}"
chat_tool = {
    "type": "function",
    "function": {"name": name, "description": description, "parameters": schema},
}
responses_tool = {"type": "function", "name": name, "description": description, "parameters": schema}
messages_tool = {"name": name, "description": description, "input_schema": schema}
chat_picture = {"type": "image_url", "image_url": {"url": picked}}
responses_picture = {"type": "input_image", "image_url": picked, "detail": "auto"}
messages_picture = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": picture},
}


def thinking(model):
    if model.endswith("budget"):
        return {"type": "enabled", "budget_tokens": 2000}
    return {"type": "adaptive"}


class Chat:
    """Chat by the OpenAI library."""

    def __init__(self):
        from openai import OpenAI

        self.client = OpenAI(api_key=key, base_url=url, max_retries=0)
        self.history = []

    def say(self, turn):
        text = {"type": "text", "text": turn["question"]}
        content = [text, chat_picture] if turn["shows"] else turn["question"]
        self.history.append({"role": "user", "content": content})

    def ask(self, model, stream):
        body = {
            "model": model,
            "messages": self.history,
            "tools": [chat_tool],
            "reasoning_effort": "high",
        }
        completions = self.client.chat.completions
        if stream:
            with completions.stream(**body) as events:
                for _ in events:
                    pass
                message = events.get_final_completion().choices[0].message
        else:
            message = completions.create(**body).choices[0].message
        said = message.model_dump(exclude_none=True)
        # Helpers for streams add what vendors refuse.
        said.pop("parsed", None)
        for call in said.get("tool_calls", []):
            call["function"].pop("parsed_arguments", None)
        self.history.append(said)
        return message.content or "", message.tool_calls or []

    def result(self, call, text, shows):
        self.history.append({"role": "tool", "tool_call_id": call.id, "content": text})


class Responses:
    """Responses by the OpenAI library."""

    def __init__(self):
        from openai import OpenAI

        self.client = OpenAI(api_key=key, base_url=url, max_retries=0)
        self.history = []

    def say(self, turn):
        text = {"type": "input_text", "text": turn["question"]}
        content = [text, responses_picture] if turn["shows"] else [text]
        self.history.append({"role": "user", "content": content})

    def ask(self, model, stream):
        body = {
            "model": model,
            "input": self.history,
            "tools": [responses_tool],
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "reasoning": {"effort": "high", "summary": "auto"},
        }
        if stream:
            with self.client.responses.stream(**body) as events:
                for _ in events:
                    pass
                final = events.get_final_response()
        else:
            final = self.client.responses.create(**body)
        for item in final.output:
            said = item.model_dump(exclude_none=True)
            said.pop("parsed_arguments", None)
            for part in said.get("content", []):
                part.pop("parsed", None)
            self.history.append(said)
        return final.output_text, [item for item in final.output if item.type == "function_call"]

    def result(self, call, text, shows):
        seen = [{"type": "input_text", "text": text}, responses_picture]
        output = seen if shows else text
        self.history.append(
            {"type": "function_call_output", "call_id": call.call_id, "output": output}
        )


class Messages:
    """Messages by the Anthropic library."""

    def __init__(self):
        from anthropic import Anthropic

        self.client = Anthropic(auth_token=key, base_url=origin, max_retries=0)
        self.history = []

    def say(self, turn):
        text = {"type": "text", "text": turn["question"]}
        content = [text, messages_picture] if turn["shows"] else [text]
        self.history.append({"role": "user", "content": content})

    def ask(self, model, stream):
        body = {
            "model": model,
            "messages": self.history,
            "tools": [messages_tool],
            "max_tokens": 8000,
            "thinking": thinking(model),
            "extra_body": {"output_config": {"effort": "high"}},
        }
        if stream:
            with self.client.messages.stream(**body) as events:
                for _ in events:
                    pass
                message = events.get_final_message()
        else:
            message = self.client.messages.create(**body)
        content = [block.model_dump(exclude_none=True) for block in message.content]
        for block in content:
            block.pop("parsed_output", None)
        self.history.append({"role": "assistant", "content": content})
        text = "".join(block.text for block in message.content if block.type == "text")
        return text, [block for block in message.content if block.type == "tool_use"]

    def result(self, call, text, shows):
        content = [{"type": "text", "text": text}, messages_picture] if shows else text
        block = {"type": "tool_result", "tool_use_id": call.id, "content": content}
        self.history.append({"role": "user", "content": [block]})


class LiteLlm:
    """LiteLLM, by one of the formats of its providers."""

    def __init__(self, provider):
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        import litellm

        litellm.suppress_debug_info = True
        self.litellm, self.provider = litellm, provider
        self.base = url if provider == "openai" else origin
        self.history = []

    def say(self, turn):
        text = {"type": "text", "text": turn["question"]}
        content = [text, chat_picture] if turn["shows"] else turn["question"]
        self.history.append({"role": "user", "content": content})

    def ask(self, model, stream):
        asks = (
            {"reasoning_effort": "high", "allowed_openai_params": ["reasoning_effort"]}
            if self.provider == "openai"
            else {"thinking": thinking(model), "allowed_openai_params": ["thinking"]}
        )
        # It goes by names, so as to tell which models think as they see fit.
        known = {"adaptive": "claude-opus-4-7", "budget": "claude-sonnet-4-5"}
        if self.provider == "anthropic":
            model = known.get(model, model)
        answer = self.litellm.completion(
            model=f"{self.provider}/{model}",
            messages=self.history,
            tools=[chat_tool],
            stream=stream,
            api_key=key,
            api_base=self.base,
            max_tokens=8000,
            num_retries=0,
            **asks,
        )
        if stream:
            answer = self.litellm.stream_chunk_builder(list(answer), messages=self.history)
        message = answer.choices[0].message
        self.history.append(message.model_dump(exclude_none=True))
        return message.content or "", message.tool_calls or []

    def result(self, call, text, shows):
        content = text
        if shows and self.provider == "anthropic":
            content = [{"type": "text", "text": text}, chat_picture]
        self.history.append(
            {"role": "tool", "tool_call_id": call.id, "name": name, "content": content}
        )


class LangChain:
    """LangChain's models of one vendor's format."""

    def __init__(self, kind):
        self.kind, self.history = kind, []

    def model(self, model):
        if self.kind == "messages":
            from langchain_anthropic import ChatAnthropic

            return ChatAnthropic(
                model=model,
                api_key=key,
                base_url=origin,
                max_tokens=8000,
                max_retries=0,
                thinking=thinking(model),
                effort="high",
            ).bind_tools([messages_tool])
        from langchain_openai import ChatOpenAI

        asks = {"model": model, "api_key": key, "base_url": url, "max_retries": 0}
        if self.kind == "chat":
            asks |= {"reasoning_effort": "high", "use_responses_api": False}
        else:
            asks |= {
                "reasoning": {"effort": "high", "summary": "auto"},
                "use_responses_api": True,
                "store": False,
                "include": ["reasoning.encrypted_content"],
            }
        return ChatOpenAI(**asks).bind_tools([chat_tool])

    def say(self, turn):
        from langchain_core.messages import HumanMessage

        text = {"type": "text", "text": turn["question"]}
        content = [text, chat_picture] if turn["shows"] else turn["question"]
        self.history.append(HumanMessage(content=content))

    def ask(self, model, stream):
        from langchain_core.messages import message_chunk_to_message

        if stream:
            answer = None
            for chunk in self.model(model).stream(self.history):
                answer = chunk if answer is None else answer + chunk
            answer = message_chunk_to_message(answer)
        else:
            answer = self.model(model).invoke(self.history)
        self.history.append(answer)
        text = answer.text
        return str(text() if callable(text) and not isinstance(text, str) else text), answer.tool_calls

    def result(self, call, text, shows):
        from langchain_core.messages import ToolMessage

        seen = {
            "messages": messages_picture,
            "responses": responses_picture,
        }.get(self.kind)
        first = {"type": "input_text" if self.kind == "responses" else "text", "text": text}
        content = [first, seen] if shows and seen is not None else text
        self.history.append(ToolMessage(content=content, tool_call_id=call["id"]))


clients = {
    "openai chat": Chat,
    "openai responses": Responses,
    "anthropic": Messages,
    "litellm chat": lambda: LiteLlm("openai"),
    "litellm messages": lambda: LiteLlm("anthropic"),
    "langchain chat": lambda: LangChain("chat"),
    "langchain responses": lambda: LangChain("responses"),
    "langchain messages": lambda: LangChain("messages"),
}

talk = clients[job["client"]]()
ended, failure = [], None
try:
    for turn in job["turns"]:
        talk.say(turn)
        text, calls = talk.ask(turn["model"], turn["stream"])
        while calls:
            for call in calls:
                talk.result(call, turn["result"], turn["resultShows"])
            text, calls = talk.ask(turn["after"], turn["stream"])
        ended.append(text)
except Exception as error:
    failure = f"{type(error).__name__}: {error}"
# Libraries print what they like.
print("\n" + json.dumps({"ended": ended, "error": failure}))
