/*
 * One process of a service in which payments begin and end, until it kills itself at a moment that
 * the test chose: a tick is a look at the clock, a request out, an answer in, or a write that is done.
 */
import type { Ms } from '../../src/domain/clock'
import type { AccountId } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { requestService } from '../../src/gateway/outbound/post'
import { openCardService } from '../../src/business/payments/card-desk'
import type { CardPayment } from '../../src/business/payments/card-payment'
import { trialBank } from '../../src/domain/payment'
import { openReconciler } from '../../src/business/payments/reconciler'
import { openStorage } from '../../src/business/data/sqlite/open-storage'

export const storySteps = [
  'return',
  'twice',
  'reconcile',
  'lost',
  'cut',
  'html',
  'rate',
  'late',
] as const

/** Customers who pay in turn. */
export const accounts = 20

/** What happens to one payment. */
export interface Story {
  /** What the customer does on the page of the bank, if the page was shown. */
  readonly decides: 'paid' | 'failed' | 'left' | 'failed-then-paid'
  readonly before: readonly (typeof storySteps)[number][]
  readonly after: readonly (typeof storySteps)[number][]
}

export interface ChildOrder {
  readonly folder: string
  readonly gateway: string
  /** Of the stand-in's controls. */
  readonly control: string
  readonly stories: readonly Story[]
  /** The first one to tell. */
  readonly from: number
  /** Null for never. */
  readonly killAt: number | null
  /** By how much the clock is ahead. */
  readonly aheadMs: number
}

if (import.meta.main) await live(JSON.parse(await Bun.stdin.text()) as ChildOrder)

type Step = (typeof storySteps)[number]

/** The service of one process, whose clock and line to the gateway a story changes. */
function openService({ folder, killAt, aheadMs }: ChildOrder) {
  const line: { ahead: number; manner: 'whole' | 'lost' | 'cut' | 'html' } = {
    ahead: aheadMs,
    manner: 'whole',
  }
  let ticks = 0
  const tick = () => {
    ticks++
    if (killAt !== null && ticks >= killAt) process.kill(process.pid, 'SIGKILL')
  }
  const clock = {
    now() {
      tick()
      return (Date.now() + line.ahead) as Ms
    },
  }
  const storage = openStorage({ folder, exclusive: false, clock })
  const desk = openCardService({
    gateways: storage.cardGateways,
    payments: storage.payments,
    store: ticking(storage.cardPayments, tick),
    slips: storage.trialSlips,
    clock,
    rialsPerCoin: () => 10,
    maxRateAgeMs: () => null,
    isDemo: true,
    onTrial: () => {},
    onCredited: tick,
    onRefused: () => {},
    onFault: () => {},
    async send(request) {
      tick()
      if (line.manner === 'cut') throw new Error('the connection was not made')
      const reply = await requestService(request, 2000)
      tick()
      // It has acted, and nobody heard of it.
      if (line.manner === 'lost') throw new Error('the connection was lost')
      return line.manner === 'html' ? { status: 502, text: '<html>Bad Gateway</html>' } : reply
    },
  })
  const reconciler = openReconciler({
    desk,
    store: storage.cardPayments,
    gateways: storage.cardGateways,
    clock,
    checkRate: async () => {},
    onUnknown: async () => {},
    onFault: () => {},
  })
  return { line, storage, desk, reconciler }
}
type Service = ReturnType<typeof openService>

async function act(
  { line, storage, desk, reconciler }: Service,
  step: Step,
  id: CardPayment['id'],
) {
  const settle = () => desk.settle(id).catch(() => null)
  if (step === 'return') await settle()
  if (step === 'twice') await Promise.all([settle(), settle(), settle()])
  if (step === 'rate') {
    const rate = (await storage.payments.rate())?.rate
    await storage.payments.setRate(rate === '90000' ? '110000' : '90000', 'test')
  }
  if (step === 'late') line.ahead += 16 * 60_000
  if (step === 'reconcile') {
    line.ahead += 31_000
    await reconciler.step()
  }
  if (step === 'lost' || step === 'cut' || step === 'html') {
    line.manner = step
    await settle()
    line.manner = 'whole'
  }
}

/** One payment, from its beginning to the last thing that happens to it. */
async function tell(service: Service, order: ChildOrder, at: number, story: Story): Promise<void> {
  const { storage, desk } = service
  const isTrial = order.gateway === trialBank
  const shownRate = (await storage.payments.rate())?.rate ?? ''
  const usd = nanoUsd((at + 1) * 1_000_000_000)
  const { payment } = await desk.start({
    account: ((at % accounts) + 1) as AccountId,
    person: null,
    gateway: isTrial ? trialBank : 'main',
    pays: order.gateway === 'stripe' ? { usd } : { coins: 50_000 + at, shownRate },
    mobile: null,
    description: 'test',
    origin: 'http://127.0.0.1',
  })
  const reference = payment.reference ?? ''
  const decide = async (state: 'paid' | 'failed') => {
    if (isTrial) await storage.trialSlips.decide(reference, state === 'paid' ? 'paid' : 'refused')
    else await fetch(`${order.control}/${reference}/${state}`, { method: 'POST' })
  }
  for (const step of story.before) await act(service, step, payment.id)
  if (story.decides === 'paid') await decide('paid')
  if (story.decides.startsWith('failed')) await decide('failed')
  for (const step of story.after.slice(0, 1)) await act(service, step, payment.id)
  if (story.decides === 'failed-then-paid') await decide('paid')
  for (const step of story.after.slice(1)) await act(service, step, payment.id)
}

async function live(order: ChildOrder): Promise<void> {
  const { folder, stories, from } = order
  const service = openService(order)
  // What the process before it left behind.
  await service.reconciler.step()
  for (const [at, story] of stories.entries()) {
    if (at < from) continue
    await Bun.write(`${folder}/story`, String(at))
    await tell(service, order, at, story)
  }
  await Bun.write(`${folder}/story`, String(stories.length))
  // A day after all of them, also those of processes whose clocks were hours ahead.
  service.line.ahead += 10 * 24 * 3_600_000
  // More may be due than are asked at once.
  for (let round = 0; round < 3; round++) await service.reconciler.step()
  await service.storage.close()
}

/** The same store, with a tick behind each write. */
function ticking<Store extends object>(store: Store, tick: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const result = await (value as (...given: unknown[]) => Promise<unknown>)(...args)
        tick()
        return result
      }
    },
  })
}
