/*
 * One conversation with tools of one JavaScript client. Reads `{client, url, key, picture, turns}` from standard input
 * and writes what each turn ended with, as test/conversations/play.ts has it.
 */
const { client, url, key, picture, turns } = JSON.parse(await new Response(process.stdin).text())

globalThis.AI_SDK_LOG_WARNINGS = false

const name = 'look'
const description = 'Looks at a place'
const schema = {
  type: 'object',
  properties: { place: { type: 'string' } },
  required: ['place'],
  additionalProperties: false,
}
const picked = `data:image/png;base64,${picture}`

/** Collects what a stream or a promise of the same client ends with. */
const chat = (OpenAI) => {
  const openai = new OpenAI({ apiKey: key, baseURL: url, maxRetries: 0 })
  const tools = [{ type: 'function', function: { name, description, parameters: schema } }]
  const seen = { type: 'image_url', image_url: { url: picked } }
  const history = []
  return {
    say: ({ question, shows }) =>
      history.push({
        role: 'user',
        content: shows ? [{ type: 'text', text: question }, seen] : question,
      }),
    async ask(model, stream) {
      const body = { model, messages: history, tools, reasoning_effort: 'high' }
      const { choices } = stream
        ? await openai.chat.completions.stream(body).finalChatCompletion()
        : await openai.chat.completions.create(body)
      // Helpers for streams add what the vendors themselves refuse.
      const { parsed: _, ...message } = choices[0].message
      const calls = message.tool_calls?.map(({ function: made, ...call }) => {
        const { parsed_arguments: _, ...named } = made
        return { ...call, function: named }
      })
      history.push(calls === undefined ? message : { ...message, tool_calls: calls })
      return { text: message.content ?? '', calls: message.tool_calls ?? [] }
    },
    // A tool of this format shows no pictures.
    result: (call, text) => history.push({ role: 'tool', tool_call_id: call.id, content: text }),
  }
}

const responses = (OpenAI) => {
  const openai = new OpenAI({ apiKey: key, baseURL: url, maxRetries: 0 })
  const tools = [{ type: 'function', name, description, parameters: schema, strict: true }]
  const seen = { type: 'input_image', image_url: picked, detail: 'auto' }
  const history = []
  return {
    say: ({ question, shows }) =>
      history.push({
        role: 'user',
        content: [{ type: 'input_text', text: question }, ...(shows ? [seen] : [])],
      }),
    async ask(model, stream) {
      const body = {
        model,
        input: history,
        tools,
        store: false,
        include: ['reasoning.encrypted_content'],
        reasoning: { effort: 'high', summary: 'auto' },
      }
      const final = stream
        ? await openai.responses.stream(body).finalResponse()
        : await openai.responses.create(body)
      for (const { parsed_arguments: _, ...item } of final.output) {
        const { content } = item
        if (item.type !== 'message') history.push(item)
        else history.push({ ...item, content: content.map(({ parsed: _, ...part }) => part) })
      }
      return {
        text: final.output_text,
        calls: final.output.filter(({ type }) => type === 'function_call'),
      }
    },
    result: (call, text, shows) =>
      history.push({
        type: 'function_call_output',
        call_id: call.call_id,
        output: shows ? [{ type: 'input_text', text }, seen] : text,
      }),
  }
}

const messages = (Anthropic) => {
  const anthropic = new Anthropic({
    authToken: key,
    apiKey: null,
    baseURL: url.replace(/\/v1$/, ''),
    maxRetries: 0,
  })
  const tools = [{ name, description, input_schema: schema }]
  const source = { type: 'base64', media_type: 'image/png', data: picture }
  const history = []
  return {
    say: ({ question, shows }) =>
      history.push({
        role: 'user',
        content: [{ type: 'text', text: question }, ...(shows ? [{ type: 'image', source }] : [])],
      }),
    async ask(model, stream) {
      const thinking =
        model === 'budget' ? { type: 'enabled', budget_tokens: 2000 } : { type: 'adaptive' }
      const effort = { output_config: { effort: 'high' } }
      const body = { model, messages: history, tools, max_tokens: 8000, thinking, ...effort }
      const message = stream
        ? await anthropic.messages.stream(body).finalMessage()
        : await anthropic.messages.create(body)
      history.push({ role: 'assistant', content: message.content })
      return {
        text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: message.content.filter(({ type }) => type === 'tool_use'),
      }
    },
    result: (call, text, shows) =>
      history.push({
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: call.id,
            content: shows
              ? [
                  { type: 'text', text },
                  { type: 'image', source },
                ]
              : text,
          },
        ],
      }),
  }
}

/** The AI SDK, a step at a time, since each goes to another model. */
const aiSdk = ({ generateText, streamText, jsonSchema, tool }, modelOf) => {
  const options = {
    openai: {
      reasoningEffort: 'high',
      reasoningSummary: 'auto',
      forceReasoning: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    },
    chapar: { reasoningEffort: 'high' },
  }
  const tools = { [name]: tool({ description, inputSchema: jsonSchema(schema) }) }
  const history = []
  return {
    say: ({ question, shows }) =>
      history.push({
        role: 'user',
        content: [
          { type: 'text', text: question },
          ...(shows ? [{ type: 'file', data: picture, mediaType: 'image/png' }] : []),
        ],
      }),
    async ask(model, stream) {
      const thinking =
        model === 'budget' ? { type: 'enabled', budgetTokens: 2000 } : { type: 'adaptive' }
      const asked = {
        model: modelOf(model),
        messages: history,
        tools,
        maxRetries: 0,
        maxOutputTokens: 8000,
        providerOptions: { ...options, anthropic: { thinking, effort: 'high' } },
      }
      if (!stream) {
        const { response, text, toolCalls } = await generateText(asked)
        history.push(...response.messages)
        return { text, calls: toolCalls }
      }
      let failure
      const streamed = streamText({ ...asked, onError: ({ error }) => void (failure = error) })
      await streamed.consumeStream()
      if (failure !== undefined) throw failure
      history.push(...(await streamed.response).messages)
      return { text: await streamed.text, calls: await streamed.toolCalls }
    },
    result: (call, text, shows) =>
      history.push({
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: call.toolCallId,
            toolName: name,
            output: shows
              ? {
                  type: 'content',
                  value: [
                    { type: 'text', text },
                    { type: 'image-data', data: picture, mediaType: 'image/png' },
                  ],
                }
              : { type: 'text', value: text },
          },
        ],
      }),
  }
}

const access = { baseURL: url, apiKey: key }
const provider = async (path, create) => (await import(path))[create](access)
const compatible = async (path) => {
  const { createOpenAICompatible } = await import(path)
  return createOpenAICompatible({ name: 'chapar', includeUsage: true, ...access })
}
const imported = async (path) => (await import(path)).default

const clients = {
  'openai 7 chat': async () => chat(await imported('openai')),
  'openai 6 chat': async () => chat(await imported('openai-6')),
  'openai 7 responses': async () => responses(await imported('openai')),
  'openai 6 responses': async () => responses(await imported('openai-6')),
  'anthropic 1': async () => messages(await imported('@anthropic-ai/sdk')),
  'anthropic 0': async () => messages(await imported('anthropic-0')),
  'ai 7 chat': async () => {
    const openai = await provider('@ai-sdk/openai', 'createOpenAI')
    return aiSdk(await import('ai'), (id) => openai.chat(id))
  },
  'ai 7 responses': async () => {
    const openai = await provider('@ai-sdk/openai', 'createOpenAI')
    return aiSdk(await import('ai'), (id) => openai.responses(id))
  },
  'ai 7 messages': async () =>
    aiSdk(await import('ai'), await provider('@ai-sdk/anthropic', 'createAnthropic')),
  'ai 7 compatible': async () =>
    aiSdk(await import('ai'), await compatible('@ai-sdk/openai-compatible')),
  'ai 6 chat': async () => {
    const openai = await provider('@ai-sdk/openai-3', 'createOpenAI')
    return aiSdk(await import('ai-6'), (id) => openai.chat(id))
  },
  'ai 6 responses': async () => {
    const openai = await provider('@ai-sdk/openai-3', 'createOpenAI')
    return aiSdk(await import('ai-6'), (id) => openai.responses(id))
  },
  'ai 6 messages': async () =>
    aiSdk(await import('ai-6'), await provider('@ai-sdk/anthropic-3', 'createAnthropic')),
  'ai 6 compatible': async () =>
    aiSdk(await import('ai-6'), await compatible('@ai-sdk/openai-compatible-2')),
}

const talk = await clients[client]()
const ended = []
try {
  for (const turn of turns) {
    talk.say(turn)
    let answer = await talk.ask(turn.model, turn.stream)
    while (answer.calls.length > 0) {
      for (const call of answer.calls) talk.result(call, turn.result, turn.resultShows)
      answer = await talk.ask(turn.after, turn.stream)
    }
    ended.push(answer.text)
  }
  process.stdout.write(JSON.stringify({ ended, error: null }))
} catch (error) {
  process.stdout.write(JSON.stringify({ ended, error: `${error.name}: ${error.message}` }))
}
