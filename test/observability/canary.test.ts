import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../src/domain/clock'
import type { Log, LogFields } from '../../src/gateway/observability/log'
import type { Storage } from '../../src/business/data/storage'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { settingText } from '../../src/business/settings/setting-text'
import { systemClock } from '../../src/domain/clock'
import { saveVoice } from '../endpoints/realtime/conversation'
import { openCollector, type Collector } from '../support/collector'
import { serve, temporaryFolder, type Serving } from '../support/executable'
import { addCustomer, addVendor, ask, commandSeen, openTestGateway } from '../support/gateway'
import { openRealtimeStandIn, session, type RealtimeStandIn } from '../support/realtime-stand-in'
import { hang, openStandIn, replies, type StandIn } from '../support/stand-in'
import { canary, fill, form, idOf, mark, requests, scripts, type Sent } from './quoting'

describe('what was said, and what vendors repeat of it', () => {
  let vendor: StandIn
  let talking: RealtimeStandIn
  let collector: Collector
  let serving: Serving
  let data: string
  let key: string

  beforeAll(async () => {
    vendor = openStandIn()
    talking = openRealtimeStandIn()
    collector = openCollector()
    data = join(temporaryFolder(), 'data')
    const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
    await fill(storage, vendor.url)
    await addVendor(storage, 'talking', talking.url)
    await saveVoice(storage, 'voice', ['talking'])
    key = (await addCustomer(storage, { usd: '1000' })).key
    await storage.close()
    serving = await serve(['--data', data, '--metrics-port', '0'], {
      CHAPAR_LOG: 'debug',
      CHAPAR_ADDRESS_RPM: '10000000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
  })
  afterAll(async () => {
    serving.kill('SIGKILL')
    await serving.exited
    await Promise.all([vendor.close(), talking.close(), collector.close()])
    rmSync(data, { recursive: true, force: true })
  })

  const authorized = () => ({ authorization: `Bearer ${key}` })
  const send = async ({ path, body }: Sent, headers: Record<string, string> = {}) => {
    const isForm = body instanceof FormData
    const answer = await fetch(serving.url + path, {
      method: 'POST',
      headers: {
        ...authorized(),
        'accept-language': 'en',
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        'user-agent': canary,
        tracestate: `a=${canary}`,
        baggage: canary,
        ...headers,
      },
      body: isForm || typeof body === 'string' ? body : JSON.stringify(body),
    })
    // A stream that breaks off is a failure, too.
    const text = await answer.text().catch(() => '')
    return { status: answer.status, text }
  }
  const sendAll = async (all: readonly Sent[]) => {
    const next = all.values()
    const answers: Awaited<ReturnType<typeof send>>[] = []
    const sending = async () => {
      for (const each of next) answers.push(await send(each))
    }
    await Promise.all(Array.from({ length: 8 }, sending))
    return answers
  }

  test('go to the vendor, and back to the client who said it', async () => {
    let told = 0
    for (const [name, script] of Object.entries(scripts)) {
      vendor.play(script)
      const answers = await sendAll(requests())
      const faults = answers.filter(({ status }) => status === 500)
      expect({ name, faults }).toEqual({ name, faults: [] })
      told += answers.filter(({ text }) => mark.test(text)).length
    }
    expect(
      vendor.seen.filter(({ body }) => mark.test(JSON.stringify(body))).length,
    ).toBeGreaterThan(300)
    expect(told).toBeGreaterThan(200)
  })

  test('are asked of a vendor that never answers', async () => {
    vendor.play(hang)
    const asked = requests().filter(({ path }) => path !== '/messages/count_tokens')
    for (const { status, text } of await sendAll(asked.slice(0, 16)))
      expect({ status, text }).toMatchObject({ status: 502 })
  })

  test('are in what is refused before a vendor is asked', async () => {
    vendor.play(scripts['a refusal'] ?? hang)
    const model = idOf('chat', 'anthropic')
    const called = [{ id: 'c', type: 'function', function: { name: 'f', arguments: `{${canary}` } }]
    const wrong: readonly Sent[] = [
      { path: '/chat/completions', body: `{"model": ${canary}` },
      { path: '/chat/completions', body: { model: canary, messages: [] } },
      { path: '/chat/completions', body: ask(canary) },
      { path: '/chat/completions', body: ask(model, { temperature: canary }) },
      { path: '/chat/completions', body: ask(model, { tool_choice: canary, [canary]: canary }) },
      { path: '/chat/completions', body: { model, messages: [{ role: canary, content: canary }] } },
      {
        path: '/chat/completions',
        body: { model, messages: [{ role: 'assistant', tool_calls: called }] },
      },
      {
        path: '/chat/completions',
        body: ask(model, {
          messages: [
            {
              role: 'user',
              content: [{ type: 'image_url', image_url: { url: `https://127.0.0.1:1/${canary}` } }],
            },
          ],
        }),
      },
      {
        path: '/messages',
        body: { model, messages: [{ role: 'user', content: [{ type: canary }, canary] }] },
      },
      { path: '/responses', body: { model, input: [{ type: canary, role: canary }] } },
      { path: '/responses', body: { model, input: 'a', previous_response_id: canary } },
      {
        path: '/responses',
        body: { model, input: [{ type: 'compaction', encrypted_content: `sealed.v1.${canary}` }] },
      },
      {
        path: '/images/generations',
        body: { model: idOf('image', 'openai'), prompt: 'a', size: canary },
      },
      {
        path: '/videos',
        body: { model: idOf('video', 'openai'), prompt: 'a', size: canary, seconds: canary },
      },
      { path: '/audio/transcriptions', body: form({ model: canary, [canary]: canary }) },
      {
        path: '/audio/transcriptions',
        body: form({ model: idOf('audio_stt', 'openai'), language: canary }),
      },
      { path: '/audio/transcriptions', body: canary },
      { path: `/${encodeURIComponent('kanarya')}`, body: canary },
      { path: `/chat/completions?prompt=kanarya`, body: canary },
    ]
    for (const each of wrong) expect((await send(each)).status).toBeWithin(400, 500)
    const stranger = { authorization: `Bearer ${canary}`, 'x-request-id': canary }
    for (const each of wrong) expect((await send(each, stranger)).status).toBeWithin(400, 500)
    for (const path of ['videos', 'requests', 'models']) {
      const shown = await fetch(`${serving.url}/${path}/kanarya`, { headers: authorized() })
      expect(shown.status).toBe(404)
    }
  })

  test('are in conversations and how they end', async () => {
    const address = `${serving.url.replace('http', 'ws')}/realtime?model=voice`
    const endings = [
      { type: 'error', error: quotingError },
      {
        type: 'response.done',
        response: { status: 'failed', status_details: { error: quotingError } },
      },
      `{"type": "response.done" ${canary}`,
      null,
    ]
    for (const ending of endings) {
      talking.play((socket, event) => {
        if (event['type'] === 'conversation.item.create') socket.send(ending ?? session)
        if (event['type'] === 'response.create' || ending === null) socket.close(4000, canary)
      })
      const client = new WebSocket(address, { headers: authorized() })
      const happens = (event: string) =>
        new Promise((resolve) => client.addEventListener(event, resolve, { once: true }))
      const closed = happens('close')
      await happens('open')
      const content = [{ type: 'input_text', text: canary }]
      const item = { type: 'message', content }
      client.send(JSON.stringify({ type: 'conversation.item.create', item }))
      client.send(JSON.stringify({ type: canary }))
      client.send(`{${canary}`)
      client.send(JSON.stringify({ type: 'response.create' }))
      await closed
    }
  })

  test('are in no file, no line, no span and no metric', async () => {
    const metrics = await (await fetch(serving.metricsUrl ?? '')).text()
    const whileServing = quotingFiles(data)
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
    const lines = serving.logs().split('\n')
    const of = (event: string) => lines.filter((line) => line.includes(`"msg":"${event}"`)).length
    expect(of('vendor failed')).toBeGreaterThan(500)
    expect(of('call')).toBeGreaterThan(500)
    expect(collector.spans.length).toBeGreaterThan(500)
    expect(metrics).toContain('chapar_vendor_failures_total')
    expect({
      whileServing,
      afterwards: quotingFiles(data),
      log: lines.filter((line) => mark.test(line)).slice(0, 5),
      traces: collector.texts.flatMap((text) => mark.exec(text) ?? []),
      metrics: metrics.split('\n').filter((line) => mark.test(line)),
    }).toEqual({ whileServing: [], afterwards: [], log: [], traces: [], metrics: [] })
  })
})

const quotingError = { message: canary, type: canary, code: canary, param: canary }

/** Files that hold it, whatever they are. */
const quotingFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => mark.test(readFileSync(file, 'latin1')))

/** What a gateway in this process logs. */
function openLines() {
  const lines: LogFields[] = []
  const say = (event: string, fields: LogFields = {}) => void lines.push({ event, ...fields })
  const says = { debug: say, info: say, warn: say, error: say, print: say }
  const log: Log = { ...says, debugging: true, flush() {} }
  return { lines, log }
}

/** A clock that stands still until it is moved. */
function openStill() {
  let now = Date.UTC(2026, 10, 22, 13, 0) as Ms
  return { now: () => now, move: (ms: number) => void (now = (now + ms) as Ms) }
}

test('a video that is not made leaves none of its vendor’s words behind', async () => {
  const { lines, log } = openLines()
  const clock = openStill()
  const folder = temporaryFolder()
  const vendor = openStandIn(() => Response.json({ id: 'video_1', status: 'queued' }))
  const prepare = (storage: Storage) => fill(storage, vendor.url)
  const chapar = await openTestGateway({ folder, clock, log, prepare })
  const headers = { authorization: `Bearer ${chapar.key}` }
  const shown = async (init: RequestInit, path = '') => {
    const answer = await fetch(`${chapar.url}/videos${path}`, { headers, ...init })
    return (await answer.json()) as { readonly id: string; readonly status: string }
  }
  const model = idOf('video', 'openai')
  const { id } = await shown({ method: 'POST', body: JSON.stringify({ model, prompt: canary }) })
  const lookUntil = async (reached: () => boolean | Promise<boolean>) => {
    for (let looks = 0; !(await reached()); looks++) {
      if (looks === 1000) throw new Error('it is never reached')
      clock.move(1000)
      await chapar.gateway.parts.videos.runner.step()
      await Bun.sleep(1)
    }
  }
  vendor.play(scripts['an answer that is broken JSON'] ?? hang)
  await lookUntil(() => lines.some(({ event }) => event === 'video poll failed repeatedly'))
  const error = { message: canary, code: canary }
  vendor.play(() => Response.json({ id: canary, status: 'failed', progress: canary, error }))
  await lookUntil(async () => (await shown({}, `/${id}`)).status === 'failed')
  expect(JSON.stringify(await shown({}, `/${id}`))).not.toMatch(mark)
  expect(quotingFiles(folder)).toEqual([])
  await chapar.close()
  await vendor.close()
  expect(quotingFiles(folder)).toEqual([])
  expect(lines.filter((line) => mark.test(JSON.stringify(line)))).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

describe('a vendor’s words', () => {
  test('are logged for an hour after they were asked for, at once and no longer', async () => {
    const { lines, log } = openLines()
    const clock = openStill()
    const folder = temporaryFolder()
    const vendor = openStandIn(scripts['a refusal'] ?? replies())
    const open = () => openTestGateway({ folder, clock, log, vendorUrl: vendor.url })
    let chapar = await open()
    /** A second process, as a command is. */
    const command = openStorage({ folder, exclusive: false, clock })
    const set = async (text: string) => {
      await command.settings.set(
        'log-vendor-words',
        settingText('logVendorWords', text, 'it', clock.now()),
      )
      await commandSeen()
      // The gateway looks again when its clock has moved on.
      clock.move(1)
    }
    const isLogged = async () => {
      lines.length = 0
      expect((await chapar.post(ask('priced'))).status).toBe(400)
      return lines.some(({ vendorMessage }) => mark.test(String(vendorMessage)))
    }
    expect(await isLogged()).toBe(false)
    await set('on')
    expect(await isLogged()).toBe(true)
    await set('off')
    expect(await isLogged()).toBe(false)
    await set('on')
    await chapar.close()
    chapar = await open()
    clock.move(3_599_000)
    expect(await isLogged()).toBe(true)
    clock.move(1000)
    expect(await isLogged()).toBe(false)
    await command.close()
    await chapar.close()
    await vendor.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
