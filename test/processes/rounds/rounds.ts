/** Rounds in which a process of a service is killed or frozen under load, and what must hold after each. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../../../src/storage/files/front-spools'
import { run, setUp, temporaryFolder } from '../../support/executable'
import { openaiStream, openStandIn, streamReply, usage, wholeReply } from '../../support/stand-in'
import { acceptedBy, isUnaccepted, watchAccepted } from './accepted'
import { openBooks, type Books } from './books'
import { openCalls, type Caller, type Load } from './load'
import { openService, type Service } from './service'

interface RoundsOrder {
  readonly rounds: number
  /** No round begins after so long. */
  readonly maxMs: number
  readonly fronts: number
  /** Some fronts are frozen for so long that their owner ends them, which takes twenty seconds. */
  readonly freezesForGood: boolean
  /** No round begins after it. */
  readonly signal?: AbortSignal
  say(text: string): void
}

interface RoundsReport {
  readonly rounds: number
  /** Rounds of each kind. */
  readonly acts: Readonly<Record<Act, number>>
  /** Whole answers, streams among them; all of them are paid. */
  readonly answers: number
  /** Calls of processes that were killed. */
  readonly killed: number
  /** Connections that no process had accepted when one ended. */
  readonly unaccepted: number
}

type Act =
  | 'kill a front'
  | 'kill the owner'
  | 'replace the program'
  | 'freeze a front'
  | 'freeze the owner'
  | 'end frozen'

const [inputUsd, outputUsd] = [1.5, 6]
/** Of a million tokens; what the vendor counts is the same for each call. */
const usualNanos =
  usage.prompt_tokens * inputUsd * 1000 + usage.completion_tokens * outputUsd * 1000
const workersEach = 6
const lookMs = 10
const refillEvery = 10
const freezeForGoodEvery = 50

/** After these there are other fronts. */
const replaces: ReadonlySet<Act> = new Set(['kill the owner', 'replace the program'])

/** Chances of a kind of round, of a hundred. */
const chances: readonly (readonly [Act, number])[] = [
  ['kill a front', 60],
  ['freeze a front', 15],
  ['freeze the owner', 10],
  ['kill the owner', 9],
  ['replace the program', 6],
]

/** @throws Error at the first round after which something is lost, unpaid, overspent or does not add up */
export async function playRounds(order: RoundsOrder): Promise<RoundsReport> {
  const vendor = openStandIn((seen) =>
    seen.body['stream'] === true
      ? streamReply(openaiStream('one two three four five six'), { delayMs: 15 })
      : wholeReply('one two three'),
  )
  const data = join(temporaryFolder(), 'data')
  try {
    const rich: Caller = { key: await setUp(data, vendor.url, '100000'), isLimited: false }
    const poor = await openPoor(data, order.rounds)
    const service = await openService(data, order.fronts)
    const books = openBooks(data, usualNanos)
    const load = openCalls(service.url, [rich, ...poor.callers], workersEach)
    const end = async () => {
      await load.end()
      const code = await service.end()
      await books.close()
      return code
    }
    const report = await play(order, { service, books, load, poor }).catch(async (thrown) => {
      await end()
      throw thrown
    })
    const code = await end()
    if (code !== 0) throw new Error(`the owner ended with ${code}: ${service.owner().logs()}`)
    return report
  } finally {
    await vendor.close()
    rmSync(data, { recursive: true, force: true })
  }
}

interface Play {
  readonly service: Service
  readonly books: Books
  readonly load: Load
  readonly poor: { refill(): Promise<void> }
}

async function play(
  order: RoundsOrder,
  { service, books, load, poor }: Play,
): Promise<RoundsReport> {
  const { signal } = order
  const until = performance.now() + order.maxMs
  const acts = {
    'kill a front': 0,
    'kill the owner': 0,
    'replace the program': 0,
    'freeze a front': 0,
    'freeze the owner': 0,
    'end frozen': 0,
  }
  const report = { rounds: 0, acts, killed: 0, unaccepted: 0 }
  // A client may hear of it in the next round.
  let killedBefore: ReadonlySet<number> = new Set()
  await service.whole()
  const goesOn = () => signal?.aborted !== true && performance.now() < until
  while (report.rounds < order.rounds && goesOn()) {
    const round = ++report.rounds
    const isForGood = order.freezesForGood && round % freezeForGoodEvery === 10
    const act = isForGood ? 'end frozen' : chosen(Math.random() * 100)
    acts[act]++
    const before = load.count()
    const accepted = watchAccepted(Number(service.url.port), service.fronts)
    const goneOn = () => load.count() >= before + workersEach
    const killed = await actAndWait(act, service, goneOn).finally(accepted.end)
    for (const broken of load.takeBroken())
      if (killed.has(broken.port) || killedBefore.has(broken.port)) report.killed++
      else if (isUnaccepted(broken, accepted.seen)) report.unaccepted++
      else throw new Error(`round ${round}, ${act}: ${broken.message}`)
    killedBefore = killed
    const [wrong] = load.takeWrong()
    if (wrong !== undefined) throw new Error(`round ${round}, ${act}: ${JSON.stringify(wrong)}`)
    await books.paid(load.takeTold())
    await books.check()
    if (round % refillEvery === 0) await poor.refill()
    order.say(`round ${round}: ${act}; ${load.count()} answers`)
  }
  return { ...report, answers: load.count() }
}

/** @returns ports of clients of what was killed, once the service is whole again and calls have gone on */
async function actAndWait(act: Act, service: Service, goneOn: () => boolean) {
  await Bun.sleep(Math.random() * 100)
  const killed = await doAct(act, service)
  await (replaces.has(act) ? service.whole() : service.ready())
  while (!goneOn()) await Bun.sleep(lookMs)
  return killed
}

function chosen(chance: number): Act {
  let sum = 0
  for (const [act, share] of chances) if (chance < (sum += share)) return act
  return 'kill a front'
}

/** @returns ports of clients whose process was killed */
async function doAct(act: Act, service: Service): Promise<ReadonlySet<number>> {
  const owner = service.owner()
  const fronts = service.listening()
  const front = fronts[Math.floor(Math.random() * fronts.length)]
  // By the number 0 this very process would be killed, and all of its group.
  if (front === undefined) throw new Error('no front listens')
  const freezeMs = 50 + Math.random() * 300
  switch (act) {
    case 'freeze a front':
      await freeze(front, freezeMs)
      return new Set()
    case 'freeze the owner':
      await freeze(owner.pid, freezeMs)
      return new Set()
    case 'kill the owner':
      owner.kill('SIGKILL')
      // Fronts have its outputs too, so that these do not end with it.
      while (isRunning(owner.pid)) await Bun.sleep(lookMs)
      await service.beginAgain()
      return new Set()
    case 'replace the program':
      await service.replace()
      return new Set()
    default: {
      // Frozen, so that it accepts nothing more once its connections are known.
      process.kill(front, 'SIGSTOP')
      const ports = acceptedBy([front], Number(service.url.port))
      if (act === 'kill a front') process.kill(front, 'SIGKILL')
      while (service.fronts().includes(front)) await Bun.sleep(lookMs)
      return ports
    }
  }
}

async function freeze(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await Bun.sleep(ms)
  process.kill(pid, 'SIGCONT')
}

/** An account that is always at its last cents, and a key whose limit ends halfway. */
async function openPoor(data: string, rounds: number) {
  const json = async (...args: string[]) => {
    const done = await run([...args, '--json'], { data })
    if (done.code !== 0) throw new Error(done.stdout + done.stderr)
    return done.json<{ readonly id: number; readonly key: string }>()
  }
  const generous = ['--verified', '--concurrency', '1000', '--rpm', '1000000']
  const account = String((await json('account', 'create', '--name', 'poor', ...generous)).id)
  const project = String((await json('project', 'create', '--account', account, '--name', 'p')).id)
  const key = async (name: string, ...limits: string[]) => {
    const words = ['key', 'create', '--project', project, '--name', name, '--rpm', '1000000']
    return { key: (await json(...words, ...limits)).key, isLimited: true }
  }
  const refill = async () => void (await json('topup', account, '0.02'))
  const limit = (rounds * usualNanos * 10) / 1e9
  const callers = [await key('open'), await key('capped', '--spend-limit', limit.toFixed(6))]
  await refill()
  return { callers, refill }
}
