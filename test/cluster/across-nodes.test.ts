/** What happens at one node and matters at another: live calls, records, the health of vendors. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run } from '../support/executable'
import { describeOn } from '../support/postgres'
import { message, responds } from '../support/responses-stand-in'
import { failure, openStandIn, replies, type StandIn } from '../support/stand-in'
import { openFleet, type Fleet } from './fleet'
import { paced, pacedSeconds, until } from '../support/pace'

const others = [1, 0] as const
/** Usage that so short a call can have: a vendor that counts more is told of. */
const answers = replies('Hello', { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 })
/** Others hear of what a vendor did within half a second. */
const heardMs = paced(1500)

describeOn('npm', 'two nodes', () => {
  let fleet: Fleet
  let main: StandIn
  let spare: StandIn
  let operator: string

  beforeAll(async () => {
    main = openStandIn(answers)
    spare = openStandIn(answers)
    fleet = await openFleet(['one', 'two'], { ttlSeconds: pacedSeconds(10) })
    const words = ['operator', 'key', 'create', '--name', 'test', '--role', 'owner']
    const made = await run([...words, '--expires', '2d', '--json'], {
      data: fleet.folder('one'),
      env: { CHAPAR_DATABASE: fleet.url },
    })
    operator = made.json<{ key: string }>().key
    for (const [name, { url }] of Object.entries({ main, spare }))
      await operate(0, 'POST', '/vendors', {
        name,
        kind: 'openai',
        dialect: 'openai',
        base_url: url,
        api_key: 'x',
        test: false,
      })
    const routes = [
      { vendor: 'main', vendor_model: 'm', priority: 0, weight: 1 },
      { vendor: 'spare', vendor_model: 'm', priority: 1, weight: 1 },
    ]
    const prices = { input_per_million: '1.5', output_per_million: '6' }
    await operate(1, 'POST', '/models', { id: 'both', type: 'chat', routes, prices })
  })
  afterAll(async () => {
    await fleet.close()
    await main.close()
    await spare.close()
  })

  /** @throws Error where it is refused */
  const operate = async <T>(at: number, method: string, path: string, body?: object) => {
    const root = fleet.gateways[at]?.url.replace(/v1$/, 'admin/v1') ?? ''
    const answer = await fetch(`${root}${path}`, {
      method,
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  type Live = { readonly data: readonly { readonly id: string }[] }
  const running = async (at: number) =>
    (await operate<Live>(at, 'GET', '/live?status=running')).data.map(({ id }) => id)

  test.each([0, 1])(
    'live calls are listed, counted and ended from the other than node %i',
    async (at) => {
      const { secret } = await fleet.customer('5')
      const slow = { model: 'sandbox/slow-priced', words: 500, stream: true }
      const answer = await fleet.call(at, secret, slow)
      const id = answer.headers.get('x-request-id') ?? ''
      const other = others[at] ?? 0
      // One that began a moment ago is known with the next beat.
      await until(async () => (await running(other)).includes(id))
      expect(await running(other)).toEqual([id])
      const { running_calls: count } = await operate<{ running_calls: number }>(
        other,
        'GET',
        '/overview',
      )
      expect(count).toBe(1)
      await operate(other, 'POST', `/live/${id}/stop`, {})
      expect(await answer.text()).toContain('stream_interrupted')
      await until(async () => (await running(other)).length === 0)
    },
  )

  test('who follows calls at one hears of those of the other', async () => {
    const { secret, account } = await fleet.customer('5')
    const root = fleet.gateways[0]?.url.replace(/v1$/, 'admin/v1') ?? ''
    const leaving = new AbortController()
    const events = await fetch(`${root}/live/events?account=${account}`, {
      headers: { authorization: `Bearer ${operator}` },
      signal: leaving.signal,
    })
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    const listening = (async () => {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) return
        told += value
      }
    })().catch(() => {})
    const ids: string[] = []
    await until(async () => {
      const answer = await fleet.call(1, secret)
      ids.push(answer.headers.get('x-request-id') ?? '')
      await answer.text()
      return ids.some((id) => told.includes(id))
    })
    leaving.abort()
    await listening
  })

  test('an answer of one is gone on from, and found, at the other at once', async () => {
    const { secret } = await fleet.customer('50')
    // No more than so short a conversation can have: a vendor that counts more is told of.
    const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
    main.play(responds([message('Hello')], { usage }))
    const send = async (at: number, body: object) => {
      const answer = await fetch(`${fleet.gateways[at]?.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'both', ...body }),
      })
      return { status: answer.status, id: ((await answer.json()) as { id?: string }).id ?? '' }
    }
    const found: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const from = turn % 2
      const first = await send(from, { input: 'Hello' })
      const next = await send(others[from] ?? 0, { input: 'on', previous_response_id: first.id })
      const record = await fetch(
        `${fleet.gateways[from]?.url}/requests/${next.id.replace('resp_', 'req_')}`,
        { headers: { authorization: `Bearer ${secret}` } },
      )
      found.push(first.status, next.status, record.status)
    }
    expect(new Set(found)).toEqual(new Set([200]))
    main.play(answers)
  })

  test('a credential that is refused at one is not tried by the other, and told of once', async () => {
    const { secret } = await fleet.customer('5')
    main.play(failure(401, { message: 'no' }))
    const call = async (at: number) => {
      const answer = await fleet.call(at, secret, { model: 'both' })
      await answer.text()
      return answer.status
    }
    expect(await call(0)).toBe(200)
    expect(fleet.gateways[0]?.logs()).toMatch(/"process":"node-\d+".*"vendor":"main"/)
    await Bun.sleep(heardMs)
    const asked = main.seen.length
    expect(await call(1)).toBe(200)
    expect(main.seen.length).toBe(asked)
    const told = async () =>
      (await fleet.sql.unsafe(
        `SELECT kind FROM notices WHERE kind LIKE 'vendor%' ORDER BY created`,
      )) as { kind: string }[]
    await until(async () => (await told()).length > 0)
    // Both write what they know once a second.
    await Bun.sleep(heardMs)
    expect((await told()).map(({ kind }) => kind)).toEqual(['vendor_refuses_key'])
    // One of them asks idle vendors; what it finds serves both.
    main.play((seen, request) =>
      seen.method === 'GET'
        ? Response.json({ object: 'list', data: [{ id: 'm' }] })
        : answers(seen, request),
    )
    await operate(0, 'PUT', '/settings/vendor-check-every', { value: '10s' })
    await until(async () => {
      const before = main.seen.length
      await call(0)
      await call(1)
      return main.seen.slice(before).filter(({ method }) => method === 'POST').length === 2
    })
    expect((await told()).map(({ kind }) => kind)).toEqual(['vendor_refuses_key', 'vendor_back'])
  })

  test('who has died is not waited for by whoever looks', async () => {
    const { secret } = await fleet.customer('5')
    expect((await fleet.call(0, secret)).status).toBe(200)
    fleet.gateways[1]?.kill('SIGKILL')
    await fleet.gateways[1]?.exited
    const began = performance.now()
    const lost = await fetch(
      `${fleet.gateways[0]?.url}/requests/req_00000000000000000000000000000000`,
      {
        headers: { authorization: `Bearer ${secret}` },
      },
    )
    expect(lost.status).toBe(404)
    expect(performance.now() - began).toBeLessThan(paced(1500))
    expect(await running(0)).toEqual([])
    expect(performance.now() - began).toBeLessThan(paced(4000))
  })
})
