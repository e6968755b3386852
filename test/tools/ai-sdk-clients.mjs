/*
 * Streams of the AI SDK's providers. Reads `{url, key, models, tools}` from standard input and writes
 * a list of what each provider made of each model, as test/support/shapes/client-run.ts has it.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, streamText, tool } from 'ai'

const { url, key, models, tools } = JSON.parse(await new Response(process.stdin).text())

const access = { baseURL: url, apiKey: key }
const openai = createOpenAI(access)
const clients = {
  '@ai-sdk/openai chat': (id) => openai.chat(id),
  '@ai-sdk/openai responses': (id) => openai.responses(id),
  '@ai-sdk/openai-compatible': createOpenAICompatible({ name: 'chapar', ...access }),
  '@ai-sdk/anthropic': createAnthropic(access),
}
const offered = Object.fromEntries(
  tools.map((name) => [name, tool({ inputSchema: jsonSchema({ type: 'object' }) })]),
)

async function run(client, model) {
  const got = { client, model, text: '', calls: [], cites: [], error: null }
  const { fullStream } = streamText({
    model: clients[client](model),
    prompt: 'Hello',
    tools: offered,
    maxRetries: 0,
    onError() {},
  })
  for await (const part of fullStream)
    switch (part.type) {
      case 'text-delta':
        got.text += part.text
        break
      case 'tool-call':
        // The rest was run at the vendor.
        if (tools.includes(part.toolName))
          got.calls.push({ name: part.toolName, arguments: part.input })
        break
      case 'source':
        got.cites.push(part.url)
        break
      case 'error': {
        const { name, message, statusCode = null, responseBody } = part.error
        const code = responseBody === undefined ? null : JSON.parse(responseBody).error.code
        got.error ??= { status: statusCode, code, message: `${name}: ${message}` }
      }
    }
  return got
}

const runs = []
for (const client in clients) for (const model of models) runs.push(await run(client, model))
process.stdout.write(JSON.stringify(runs))
