/** Gateways as their documents describe them, over HTTP. */

interface StandInSession {
  readonly reference: string
  readonly amount: number
  readonly returnTo: string
  readonly order: string
  state: 'open' | 'paid' | 'verified' | 'failed'
}

export type StandInKind = 'zarinpal' | 'zibal' | 'stripe'

/** How requests are answered. */
type Manner = 'whole' | 'html' | 'silent'

export interface GatewayStandIn {
  readonly kind: StandInKind
  readonly base: string
  readonly secret: string
  readonly sessions: ReadonlyMap<string, StandInSession>
  /** Requests as they came. */
  readonly heard: { readonly path: string; readonly headers: Headers; readonly body: string }[]
  /** The customer decides on the page of the bank. */
  decide(reference: string, state: 'paid' | 'failed'): void
  /** From now on. */
  setManner(manner: Manner): void
  /** Answers of its own come with this status from now on; null for theirs. */
  setStatus(status: number | null): void
  /** Answers this once, in the place of its own. */
  answerOnce(body: unknown): void
  stop(): Promise<void>
}

export const secrets: Readonly<Record<StandInKind, string>> = {
  zarinpal: '1344b5d4-0048-11e8-94db-005056a205be',
  zibal: 'zibal',
  stripe: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
}

interface Asked {
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** How a kind answers. */
type Answering = (asked: Asked, sessions: Map<string, StandInSession>) => Response

export function openGatewayStandIn(kind: StandInKind): GatewayStandIn {
  const sessions = new Map<string, StandInSession>()
  const heard: Asked[] = []
  const once: unknown[] = []
  let manner: Manner = 'whole'
  let forced: number | null = null
  const silent = new Set<() => void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const asked = {
        path: `${url.pathname}${url.search}`,
        headers: request.headers,
        body: await request.text(),
      }
      heard.push(asked)
      if (manner === 'silent') {
        const { promise, resolve } = Promise.withResolvers<void>()
        silent.add(resolve)
        await promise
        return new Response(null, { status: 503 })
      }
      if (manner === 'html')
        return new Response('<html><body>502 Bad Gateway</body></html>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        })
      const given = once.shift()
      if (given !== undefined) return Response.json(given)
      const answer = answers[kind](asked, sessions)
      return forced === null ? answer : new Response(answer.body, { status: forced })
    },
  })
  return {
    kind,
    base: `http://127.0.0.1:${server.port}`,
    secret: secrets[kind],
    sessions,
    heard,
    decide(reference, state) {
      const session = sessions.get(reference)
      if (session === undefined) throw new Error(`no session ${reference}`)
      if (session.state === 'open' || session.state === 'failed') session.state = state
    },
    setManner: (next) => void (manner = next),
    setStatus: (status) => void (forced = status),
    answerOnce: (body) => void once.push(body),
    async stop() {
      for (const end of silent) end()
      await server.stop(true)
    },
  }
}

const begun = (sessions: Map<string, StandInSession>, session: Omit<StandInSession, 'state'>) =>
  void sessions.set(session.reference, { ...session, state: 'open' })

interface Fields {
  readonly merchant_id?: string
  readonly merchant?: string
  readonly authority: string
  readonly trackId?: number
  readonly amount: number
  readonly callback_url: string
  readonly callbackUrl: string
  readonly orderId: string
  readonly metadata: { readonly order_id: string }
}

const fieldsOf = (body: string): Fields => JSON.parse(body) as Fields

const answers: Readonly<Record<StandInKind, Answering>> = {
  /** zarinpal.com/docs: `data` and `errors` take turns in being `[]`. */
  zarinpal({ path, body }, sessions) {
    const verb = /^\/pg\/v4\/payment\/(\w+)\.json$/.exec(path)?.[1]
    const fields = fieldsOf(body)
    const no = (code: number) =>
      Response.json({ data: [], errors: { code, message: 'x', validations: [] } })
    const yes = (data: object) =>
      Response.json({ data: { message: 'Success', ...data }, errors: [] })
    if (fields.merchant_id !== secrets.zarinpal) return no(-10)
    const session = sessions.get(fields.authority)
    if (verb === 'request') {
      if (!(fields.amount >= 10_000)) return no(-9)
      const authority = `A${String(sessions.size + 1).padStart(35, '0')}`
      const order = fields.metadata.order_id
      begun(sessions, {
        reference: authority,
        amount: fields.amount,
        returnTo: fields.callback_url,
        order,
      })
      return yes({ code: 100, authority, fee_type: 'Merchant', fee: 100 })
    }
    if (verb === 'unVerified')
      return yes({
        // A text in their sample.
        code: '100',
        authorities: [...sessions.values()]
          .filter(({ state }) => state === 'paid')
          .map(({ reference, amount, returnTo }) => ({
            authority: reference,
            amount,
            callback_url: returnTo,
            referer: '/',
            date: '2026-11-22 10:00:00',
          })),
      })
    if (session === undefined) return no(-54)
    const status = { open: 'IN_BANK', paid: 'PAID', verified: 'VERIFIED', failed: 'FAILED' }
    if (verb === 'inquiry') return yes({ code: 100, status: status[session.state] })
    if (session.state === 'open' || session.state === 'failed') return no(-51)
    if (fields.amount !== session.amount) return no(-50)
    const code = session.state === 'verified' ? 101 : 100
    session.state = 'verified'
    return yes({ code, ref_id: 201, card_pan: '502229******5995', card_hash: '1EBE', fee: 0 })
  },

  /** help.zibal.ir: what is told of a payment once it is verified is in `inquiry` alone. */
  zibal({ path, body }, sessions) {
    const verb = /^\/v1\/(\w+)$/.exec(path)?.[1]
    const fields = fieldsOf(body)
    const say = (result: number, rest: object = {}) =>
      Response.json({ result, message: 'x', ...rest })
    if (fields.merchant !== secrets.zibal) return say(102)
    if (verb === 'request') {
      if (!(fields.amount >= 1000)) return say(105)
      const trackId = 15_966_442_233_311 + sessions.size
      begun(sessions, {
        reference: String(trackId),
        amount: fields.amount,
        returnTo: fields.callbackUrl,
        order: fields.orderId,
      })
      return say(100, { trackId })
    }
    const session = sessions.get(String(fields.trackId))
    if (session === undefined) return say(203)
    const status = { open: -1, paid: 2, verified: 1, failed: 3 }[session.state]
    const details = {
      status,
      amount: session.amount,
      refNumber: 39_201,
      cardNumber: '62741****44',
      orderId: session.order,
      paidAt: '2026-11-22T10:43:27.552000',
    }
    if (verb === 'inquiry') return say(100, details)
    if (session.state === 'verified') return say(201)
    if (session.state !== 'paid') return say(202)
    session.state = 'verified'
    return say(100, { ...details, status: 1 })
  },

  /** docs.stripe.com/api/checkout/sessions. */
  stripe({ path, headers, body }, sessions) {
    if (headers.get('authorization') !== `Bearer ${secrets.stripe}`)
      return Response.json({ error: { type: 'invalid_request_error' } }, { status: 401 })
    if (path === '/v1/checkout/sessions') {
      const form = new URLSearchParams(body)
      const id = `cs_test_${String(sessions.size + 1).padStart(8, '0')}`
      begun(sessions, {
        reference: id,
        amount: Number(form.get('line_items[0][price_data][unit_amount]')),
        returnTo: form.get('success_url') ?? '',
        order: form.get('client_reference_id') ?? '',
      })
      return Response.json({
        id,
        object: 'checkout.session',
        url: `https://checkout.stripe.com/c/${id}`,
      })
    }
    const id = /^\/v1\/checkout\/sessions\/([^?]+)/.exec(path)?.[1] ?? ''
    const session = sessions.get(id)
    if (session === undefined)
      return Response.json({ error: { code: 'resource_missing' } }, { status: 404 })
    const isPaid = session.state === 'paid' || session.state === 'verified'
    if (isPaid) session.state = 'verified'
    return Response.json({
      id,
      object: 'checkout.session',
      amount_total: session.amount,
      currency: 'usd',
      client_reference_id: session.order,
      payment_status: isPaid ? 'paid' : 'unpaid',
      status: isPaid ? 'complete' : session.state === 'failed' ? 'expired' : 'open',
      payment_intent: isPaid
        ? { id: 'pi_1', latest_charge: { payment_method_details: { card: { last4: '4242' } } } }
        : null,
    })
  },
}
