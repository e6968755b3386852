import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openVisitor, printedCodes, printedWord } from '../console/visitor'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { openListener } from '../support/listener'
import { openRealtimeClient } from '../support/realtime-client'
import { saidIn } from '../support/sse'
import { chunk, openStandIn, replies, usage, usageChunk, type StandIn } from '../support/stand-in'
import { doorNames, missingProxies, openDoor, type ProxyDoor } from './doors'
import { sampleOf } from '../support/campaigns'

const missing = missingProxies()
if (missing.length > 0)
  process.stderr.write(
    `\n!!! NOT TESTED: ${missing.join(', ')} is not installed (apt-get install nginx haproxy caddy)\n`,
  )

test('the proxies that people put in front of a gateway are installed, wherever CI runs', () => {
  if (process.env['CI']) expect(missing).toEqual([])
})

const doors = Object.keys(doorNames).filter((door) => {
  const program = doorNames[door]
  return program === null || program === undefined || !missing.includes(program)
})

interface Service {
  readonly serving: Serving
  readonly data: string
}

let vendor: StandIn
const folder = temporaryFolder()
/** A data folder as each gateway has it: an account, a key, a rate, and no gateway of cards. */
const template = join(folder, 'template')
let key: string
beforeAll(async () => {
  vendor = openStandIn()
  key = await setUp(template, vendor.url)
  expect((await run(['rate', 'set', '100000'], { data: template })).code).toBe(0)
})
afterAll(async () => {
  await vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

let services = 0

/** A gateway as it comes: no address is configured, and no proxy trusted. */
async function openService(env: Record<string, string> = {}): Promise<Service> {
  const data = join(folder, `data-${++services}`)
  cpSync(template, data, { recursive: true })
  // How many requests an address may send has nothing to do with where it is.
  const serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '1000000', ...env })
  return { serving, data }
}

async function close({ serving }: Service): Promise<void> {
  serving.kill('SIGTERM')
  await serving.exited
}

const portOf = ({ serving }: Service): number => Number(new URL(serving.url).port)

/** Headers in which a client tells that it is at the gateway's machine, in every combination. */
function lies(port: number): Record<string, string>[] {
  const hosts = [
    '',
    'localhost',
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    'ai.example.com',
  ]
  const origins = ['', 'http://localhost', `http://127.0.0.1:${port}`, 'same']
  const sites = ['', 'same-origin', 'none']
  const forwarded = [
    {},
    {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost',
      'x-forwarded-proto': 'http',
      'x-real-ip': '127.0.0.1',
      forwarded: 'for=127.0.0.1;host=localhost;proto=http',
    },
  ]
  return hosts.flatMap((host) =>
    origins.flatMap((origin) =>
      sites.flatMap((site) =>
        forwarded.map((more) => ({
          'content-type': 'application/json',
          ...(host === '' ? {} : { host }),
          ...(origin === '' ? {} : { origin: origin === 'same' ? `http://${host}` : origin }),
          ...(site === '' ? {} : { 'sec-fetch-site': site }),
          ...more,
        })),
      ),
    ),
  )
}

/** Tries something with each lie, some at a time. */
async function withEach(port: number, work: (headers: Record<string, string>) => Promise<void>) {
  const left = sampleOf(lies(port), 5)
  while (left.length > 0) await Promise.all(left.splice(0, 16).map(work))
}

const post = (door: ProxyDoor, path: string, headers: Record<string, string>, body: object) =>
  fetch(`${door.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: JSON.stringify(body),
  })

/** A provider of SMS that tells the last code. */
async function connectSms({ data }: Service) {
  const provider = openListener(() => new Response())
  const url = `${provider.url}/sms`
  const set = await run(['sms', 'set', 'own', '--provider', 'webhook', '--option', `url=${url}`], {
    data,
  })
  expect(set.stderr + set.stdout).toContain('own')
  const code = () =>
    (JSON.parse(provider.heard.at(-1)?.bytes.toString() ?? '{}') as { code?: string }).code
  return { code, close: provider.close }
}

describe.each(doors)('through %s', (name) => {
  let service: Service
  let door: ProxyDoor
  beforeAll(async () => {
    service = await openService()
    door = await openDoor(name, portOf(service))
  })
  afterAll(async () => {
    await door.close()
    await close(service)
  })

  test('no customer is offered the test bank, and none pays by card at an unknown address', async () => {
    const sms = await connectSms(service)
    const visitor = openVisitor({ url: `${door.origin}/v1`, logs: () => '' })
    const phone = '09350000001'
    expect((await visitor.send('POST', '/sign-in', { phone })).status).toBe(200)
    const checked = await visitor.send('POST', '/sign-in/check', { phone, code: sms.code() })
    // The strict form: browsers send it over https, and to `localhost`.
    expect(checked.headers.get('set-cookie')).toMatch(/^__Host-chapar=.*; Secure$/)
    const refusals = async (gateway: string) => {
      const pays = { gateway, coins: 500_000, rate: '100000' }
      const codes = new Set<string>()
      await withEach(portOf(service), async (headers) => {
        const { body } = await visitor.send('POST', '/top-ups', pays, headers)
        codes.add((body as { error?: { code: string } }).error?.code ?? 'none')
      })
      codes.delete('forged')
      codes.delete('needs_https')
      return [...codes]
    }
    expect(await refusals('bank')).toEqual(['top_up_off'])
    const storage = openStorage({ folder: service.data, exclusive: false, clock: systemClock })
    await storage.cardGateways.save({ name: 'main', kind: 'zibal', options: {}, secret: 'zibal' })
    expect(await refusals('main')).toEqual(['public_url_missing'])
    const paid = { state: null, account: null, before: null, max: 9 }
    expect(await storage.cardPayments.list(paid)).toEqual([])
    await storage.close()
    await run(['sms', 'remove', 'own'], service)
    await sms.close()
    // Whoever asked for another name has shown it, where the proxy hands it on.
    const doctor = await run(['doctor'], service)
    if (!name.startsWith('nginx')) expect(doctor.stdout).toContain('CHAPAR_URL=https://…')
  })

  test('no client gets a sign-in code, whatever it says of itself', async () => {
    const statuses = new Map<number, number>()
    let phone = 9_120_000_000
    await withEach(portOf(service), async (headers) => {
      const asked = await post(door, '/app/api/sign-in', headers, { phone: `0${phone++}` })
      expect(await asked.text()).not.toMatch(/\d{6}/)
      statuses.set(asked.status, (statuses.get(asked.status) ?? 0) + 1)
    })
    // Some have come as far as to a code, which nobody carries.
    expect(statuses.get(503)).toBeGreaterThan(5)
    expect(statuses.has(200)).toBe(false)
    expect(service.serving.logs()).not.toMatch(/(?<!\d)\d{6}(?!\d)/)
  })

  test('a stream comes as it is made, and whole', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const encoder = new TextEncoder()
    vendor.play(() => {
      const parts = [chunk({ role: 'assistant', content: 'سلام ' }), chunk({ content: 'world' })]
      const rest = [chunk({}, 'stop'), usageChunk(usage), 'data: [DONE]\n\n']
      let step = 0
      return new Response(
        new ReadableStream({
          async pull(controller) {
            if (step === 1) await released
            if (step === 2) return controller.close()
            const events = step === 0 ? parts.slice(0, 1) : [...parts.slice(1), ...rest]
            step++
            controller.enqueue(encoder.encode(events.join('')))
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    })
    const response = await fetch(`${door.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'priced',
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    const reading = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reading.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      // The vendor says the rest once the client has the beginning.
      if (text.includes('سلام')) release()
    }
    expect(saidIn(text, 'content')).toBe('سلام world')
    expect(text.trim()).toEndWith('data: [DONE]')
  })

  test('a body of 2 MB comes through, but by the default of nginx', async () => {
    vendor.play(replies())
    const content = 'word '.repeat(400_000)
    const response = await fetch(`${door.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content }] }),
    })
    const text = await response.text()
    // `client_max_body_size` is 1 MB unless told.
    const [status, word] = name.startsWith('nginx') ? [413, 'nginx'] : [200, 'from the vendor']
    expect([response.status, text]).toEqual([status, expect.stringContaining(word) as string])
  })

  test('the realtime channel opens, or says why not', async () => {
    const address = `${door.origin.replace('http', 'ws')}/v1/realtime?model=sandbox/realtime`
    const headers = { authorization: `Bearer ${key}` }
    if (name.startsWith('nginx')) {
      // `Upgrade` and `Connection` are not forwarded.
      const response = await fetch(address.replace('ws', 'http'), { headers })
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('`Upgrade`')
      expect(openRealtimeClient(address, { headers }).opened).rejects.toThrow()
      return
    }
    const client = openRealtimeClient(address, { headers })
    await client.next('session.created')
    client.close()
    expect(await client.closed).toMatchObject({ code: 1000 })
  })
})

describe.each(doors)('in demo mode, through %s', (name) => {
  test('codes and words are on the terminal, and nowhere else', async () => {
    const service = await openService({ CHAPAR_DEMO: '1' })
    const door = await openDoor(name, portOf(service))
    const { serving } = service
    try {
      expect((await run(['doctor'], service)).stdout).toContain('demo mode')
      expect(serving.logs()).toContain('DEMO MODE')
      // Whoever reads the terminal signs in.
      const visitor = openVisitor({ url: `${door.origin}/v1`, logs: serving.logs })
      expect((await visitor.signIn('09350000001')).status).toBe(200)
      const before = serving.logs().length
      let phone = 9_121_000_000
      await withEach(portOf(service), async (headers) => {
        const asked = await post(door, '/app/api/sign-in', headers, { phone: `0${phone++}` })
        expect(await asked.text()).not.toMatch(/\d{6}/)
      })
      expect(printedCodes(serving.logs().slice(before)).length).toBeGreaterThan(5)
      const pays = { gateway: 'bank', coins: 500_000, rate: '100000' }
      const { body } = await visitor.send('POST', '/top-ups', pays)
      const { page } = body as { page: string }
      const pay = (form: string, headers: object = {}) =>
        fetch(`${door.origin}${page}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: form,
        })
      await withEach(portOf(service), async (headers) => {
        expect((await pay('do=pay&word=AAAA-AAAA', headers)).status).toBe(403)
      })
      expect((await pay('do=pay')).status).toBe(403)
      const word = printedWord(serving.logs())
      expect((await pay(`do=pay&word=${word}`)).status).toBe(303)
    } finally {
      await door.close()
      await close(service)
    }
  })
})
