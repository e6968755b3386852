import { addressBucket } from '../gateway/net/address'
import type { Inbound } from '../gateway/http/inbound'
import { strangerPatience } from '../gateway/http/slow-body-guard'
import { readLimited } from '../gateway/http/read-body'
import { GatewayFault } from '../business/payments/card-gateway'
import type { CardService } from '../business/payments/card-desk'
import { isPaymentRefusal } from '../business/payments/payment-refusal'
import { returnedPayment } from '../business/payments/return-address'
import {
  isTrialWord,
  trialBankPath,
  type TrialSlipStore,
  type TrialWordOf,
} from '../business/payments/trial-bank'
import type { ShownBrand } from './brand'
import { trialBankPage } from './trial-bank-page'

/** Where banks and gateways send browsers and events; none of them needs a cookie. */
interface PaymentDoors {
  /** Null where the path is none of these. */
  answer(request: Request, inbound: Inbound): Promise<Response> | null
}

export interface PaymentDoorsParts {
  readonly cards: CardService
  readonly slips: TrialSlipStore
  brand(): ShownBrand
  readonly isSecure: boolean
  /** The word that whoever runs the service reads on the terminal, of a payment at the test bank. */
  readonly trialWordOf: TrialWordOf
  /** Counts a request of a stranger against its address. */
  takeAddress(bucket: string): Promise<void>
  /** Told who came back, and with which query: never believed. */
  onReturn(payment: string, query: string): void
  /** Told of an event that is not signed as one of this gateway: anybody can send it. */
  onUnsigned(gateway: string, code: string): void
  onFault(fault: unknown): void
}

const returnPath = '/app/return/'
const eventPath = '/app/webhook/'
const maxEventBytes = 262_144
/** Of the test bank: which of two buttons was pressed, and the word. */
const maxFormBytes = 4096
const maxLoggedQuery = 200
/** A browser that came back waits for the gateway no longer than this; its page goes on asking. */
const patienceMs = 3000

export function openPaymentDoors(parts: PaymentDoorsParts): PaymentDoors {
  return {
    answer(request, inbound) {
      const [door, name] = doorOf(inbound.path)
      return door === null ? null : enter(parts, { request, inbound, door, name })
    },
  }
}

/** Somebody at one of the doors. */
interface Entering {
  readonly request: Request
  readonly inbound: Inbound
  readonly door: 'return' | 'event' | 'bank'
  /** What is behind it. */
  readonly name: string
}

async function enter(
  parts: PaymentDoorsParts,
  { request, inbound: { address, search }, door, name }: Entering,
): Promise<Response> {
  await parts.takeAddress(addressBucket(address))
  if (door === 'return') return await returned(parts, request, name, search)
  if (door === 'event') return await heard(parts, request, name)
  return await bank(parts, request, name)
}

function doorOf(path: string): readonly ['return' | 'event' | 'bank' | null, string] {
  for (const [door, start] of [
    ['return', returnPath],
    ['event', eventPath],
    ['bank', trialBankPath],
  ] as const)
    if (path.startsWith(start)) return [door, path.slice(start.length)]
  return [null, '']
}

/** The browser is back from the bank: whatever it says, the gateway is asked. */
async function returned(
  { cards, onReturn, onFault }: PaymentDoorsParts,
  request: Request,
  name: string,
  search: string,
): Promise<Response> {
  if (!['GET', 'POST'].includes(request.method)) return notAllowed('GET, POST')
  const payment = returnedPayment(`${returnPath}${name}`)
  if (payment === null) return redirected('/app/credit')
  onReturn(payment, search.slice(0, maxLoggedQuery))
  await within(
    patienceMs,
    cards.settle(payment).catch((thrown: unknown) => {
      if (!isPaymentRefusal(thrown)) onFault(thrown)
    }),
  )
  return redirected(`/app/credit/${payment}`)
}

/** Resolves with the work, or when its time is over: it goes on. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

/** A gateway's own server tells that something has happened. It sends again what is not answered by 2xx. */
async function heard(
  { cards, onFault, onUnsigned }: PaymentDoorsParts,
  request: Request,
  name: string,
): Promise<Response> {
  if (request.method !== 'POST') return notAllowed('POST')
  const body = await textOf(request, maxEventBytes)
  try {
    const payment = await cards.eventPayment(name, { headers: request.headers, body })
    if (payment !== null) await cards.settle(payment.id)
    return told(200, 'ok')
  } catch (thrown) {
    if (isPaymentRefusal(thrown)) return told(404, 'not found')
    if (thrown instanceof GatewayFault) {
      onUnsigned(name, thrown.code)
      return told(400, thrown.code)
    }
    onFault(thrown)
    return told(500, 'not settled')
  }
}

/** A page of the test bank, and what its buttons do: it pays for whoever reads the terminal. */
async function bank(
  parts: PaymentDoorsParts,
  request: Request,
  reference: string,
): Promise<Response> {
  if (!['GET', 'POST'].includes(request.method)) return notAllowed('GET, POST')
  const slip = await parts.slips.find(reference)
  // Once a gateway is set up, or outside of demo mode, nobody pays here any more.
  const { ways } = await parts.cards.offer()
  if (slip === null || !ways.some(({ config }) => config === null)) return told(404, 'not found')
  const page = (isWordWrong: boolean) =>
    trialBankPage(request.headers, {
      ...parts,
      rials: slip.rials,
      brand: parts.brand(),
      isWordWrong,
    })
  if (request.method === 'GET') return page(false)
  const form = new URLSearchParams(await textOf(request, maxFormBytes))
  const pays = form.get('do') === 'pay'
  if (pays && !isTrialWord(form.get('word') ?? '', parts.trialWordOf(reference))) return page(true)
  await parts.slips.decide(reference, pays ? 'paid' : 'refused')
  return redirected(`${returnPath}${slip.payment}`)
}

const redirected = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

const notAllowed = (allow: string): Response =>
  new Response(null, { status: 405, headers: { allow } })

const told = (status: number, text: string): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

/** The body of whoever it is. */
const textOf = async (request: Request, maxBytes: number): Promise<string> =>
  Buffer.from(await readLimited(request, maxBytes, strangerPatience)).toString('utf8')
