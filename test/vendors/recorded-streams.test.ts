import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { addModel, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { compatibleRecordings } from '../support/recorded/compatible'
import { openaiRecordings } from '../support/recorded/openai'
import { chunksOf, eventsOf } from '../support/sse'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

const recordings = [...openaiRecordings, ...compatibleRecordings]

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const dialect of new Set(recordings.map((each) => each.dialect))) {
        await storage.catalogue.saveVendor({
          name: dialect,
          kind: 'openai',
          dialect,
          baseUrl: vendor.url,
          credential: 'sk-vendor-secret',
          timeoutMs: 10_000,
          transport: 'own',
          active: true,
          source: 'command',
        })
        await addModel(storage, `of-${dialect}`, [dialect])
      }
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

describe.each([...recordings])('$title', ({ dialect, events, says }) => {
  const model = `of-${dialect}`
  const usage = {
    prompt_tokens: says.usage.prompt,
    completion_tokens: says.usage.completion,
    total_tokens: says.usage.prompt + says.usage.completion,
    prompt_tokens_details: { cached_tokens: says.usage.cached },
    completion_tokens_details: { reasoning_tokens: says.usage.reasoning },
  }

  test('says the same to the official client', async () => {
    vendor.play(() => streamReply(events))
    const client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
    const stream = client.chat.completions.stream({
      ...ask(model),
      messages: [{ role: 'user', content: 'Hello' }],
      stream_options: { include_usage: true },
    })
    let reasoning = ''
    for await (const chunk of stream) {
      const delta: object = chunk.choices[0]?.delta ?? {}
      if ('reasoning_content' in delta) reasoning += String(delta.reasoning_content)
    }
    const answer = await stream.finalChatCompletion()
    const [choice] = answer.choices
    expect(choice?.message.content ?? '').toBe(says.text)
    expect(reasoning).toBe(says.reasoning ?? '')
    expect(choice?.finish_reason).toBe(says.finish)
    const calls = (choice?.message.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? { name: call.function.name, arguments: call.function.arguments }
        : call.type,
    )
    expect(calls).toEqual([...(says.calls ?? [])])
    expect(answer.usage).toMatchObject(usage)
  })

  test.each([1, 7, 64])('says it however it is cut: %i bytes at a time', async (bytesAtATime) => {
    const readings = []
    for (const options of [{}, { bytesAtATime }]) {
      vendor.play(() => streamReply(events, options))
      const text = await (await chapar.post(ask(model, { stream: true }))).text()
      readings.push(
        chunksOf(text).map(({ choices, usage: told, cost_usd }) => ({ choices, told, cost_usd })),
      )
    }
    expect(readings[1]).toEqual(readings[0])
    expect(readings[0]?.length).toBeGreaterThan(2)
  })

  test('shows nothing of the vendor, and one usage, the last before the terminator', async () => {
    vendor.play(() => streamReply(events))
    const response = await chapar.post(ask(model, { stream: true }))
    const text = await response.text()
    const chunks = chunksOf(text)
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    expect(chunks.filter((each) => each.usage)).toHaveLength(1)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    for (const each of chunks)
      expect(each).toMatchObject({ id: response.headers.get('x-request-id'), model })
    expect(text).not.toMatch(/x_groq|obfuscation|vendorsown|OPENROUTER|filter_results|"id":""/)
  })
})
