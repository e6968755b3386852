import { openVisitor, type Visitor } from '../console/visitor'
import { setUpOperator } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { linesAfter, linesBefore } from './seed-lines'
import { environment, type World } from './world'

const minuteMs = 60_000

/** Runs lines that set something up, a minute each. @throws Error where one is refused */
async function runAll(world: World, lines: readonly string[]): Promise<readonly string[]> {
  const printed: string[] = []
  for (const line of lines) {
    world.clock.pass(minuteMs)
    const { code, stdout, stderr } = await world.run('seed', line)
    if (code !== 0) throw new Error(`${line}: ${stderr}${stdout}`)
    printed.push(stdout)
  }
  return printed
}

/** A gateway on the data of this name, which ends when its work is over. */
export async function serving<T>(
  world: World,
  name: string,
  work: (gateway: TestGateway) => Promise<T>,
): Promise<T> {
  const gateway = await openTestGateway({
    folder: world.folder(name),
    web: true,
    clock: { now: () => Date.now() as never },
    env: environment,
    usd: '0',
    account: { name: 'Kaveh' },
  })
  try {
    return await work(gateway)
  } finally {
    await gateway.close()
  }
}

/** Sets a service up and lets it serve for a while: customers, money, calls, people, and a trail of it all. */
export async function seed(world: World): Promise<void> {
  const printed = await runAll(world, linesBefore)
  const secrets = printed.join('').match(/\bsk-\w+-v1-\w{43}\b/g) ?? []
  Object.assign(world.values, { 'laptop-prefix': secrets[0]?.slice(0, 19) })
  const codes = printed.join('').match(/\b\d{4}(?:-\d{4}){4}\b/g) ?? []
  await serving(world, 'seed', async (gateway) => {
    await serveCalls(world, gateway, secrets)
    const [redeemed = '', unused = ''] = codes
    Object.assign(world.values, { redeemed, unused })
    await servePeople(world, gateway, codes)
    const own = await callOnce(world, gateway, {
      key: world.values['parvin-key'] ?? '',
      path: chat,
      body: { model: 'sandbox/echo-priced', ...hello },
    })
    Object.assign(world.values, { own })
    await setUpOperator(gateway, { now: () => Date.now() as never }, { name: 'kian' })
    await untilPrinted(world, 'notices list --pending --json', /"data":\[\]/)
    await gateway.rest()
  })
  const [, video = ''] =
    (await world.run('seed', 'videos list --csv')).stdout.match(/\b(vid\w*_[0-9a-f]{32})/) ?? []
  Object.assign(world.values, { video })
  const [owner = '', staff = '', viewer = ''] =
    (await runAll(world, linesAfter)).join('').match(/\bop-v1-\w{43}\b/g) ?? []
  Object.assign(world.values, { owner, staff, viewer })
}

type Body = Readonly<Record<string, unknown>>

const hello = { messages: [{ role: 'user', content: 'Hello there' }], max_tokens: 20 }

const chat = '/chat/completions'

/** One call to its end, a minute after what was before. @returns its id */
async function callOnce(
  world: World,
  { url, rest }: TestGateway,
  { key, path, body }: { readonly key: string; readonly path: string; readonly body: Body },
): Promise<string> {
  await untilPrinted(world, 'notices list --pending --json', /"data":\[\]/)
  world.clock.pass(minuteMs)
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  await rest()
  return response.headers.get('x-request-id') ?? ''
}

/** Calls one after the other, so that each has the same id and time in every run. */
async function serveCalls(
  world: World,
  gateway: TestGateway,
  [laptop = '', limited = '', , disabled = '', batch = '', phone = '']: readonly string[],
): Promise<void> {
  const call = async (key: string, path: string, body: Body) =>
    await callOnce(world, gateway, { key, path, body })
  const first = await call(laptop, chat, { model: 'sandbox/echo-priced', ...hello })
  const second = await call(laptop, chat, { model: 'sandbox/echo-priced', stream: true, ...hello })
  await call(limited, chat, { model: 'sandbox/echo', ...hello })
  await call(limited, chat, { model: 'acme/large', ...hello })
  await call(disabled, chat, { model: 'sandbox/echo', ...hello })
  await call(batch, chat, { model: 'sandbox/echo-priced', ...hello })
  await call(laptop, chat, { model: 'acme/large', ...hello })
  await call(phone, chat, { model: 'sandbox/error-502', ...hello })
  const refunded = await call(phone, chat, { model: 'sandbox/echo-priced', ...hello })
  await call(laptop, '/embeddings', { model: 'sandbox/embed', input: 'sea' })
  await call(laptop, chat, { model: 'acme/nothing', ...hello })
  await call(laptop, '/videos', { model: 'sandbox/video-stalled-priced', prompt: 'the sea' })
  world.clock.pass(minuteMs)
  await untilVideo(world, 'in_progress')
  Object.assign(world.values, { first, second, refunded })
}

const maxWaitMs = 20_000

/** Waits for what a timer does. @throws Error where the line never prints that */
async function untilPrinted({ run }: World, line: string, words: RegExp): Promise<void> {
  const until = Bun.nanoseconds() + maxWaitMs * 1e6
  while (!words.test((await run('seed', line)).stdout)) {
    if (Bun.nanoseconds() > until) throw new Error(`${line}: never ${words.source}`)
    await Bun.sleep(20)
  }
}

/** Waits until the vendor of the one video has said so. */
export const untilVideo = async (world: World, status: string): Promise<void> =>
  await untilPrinted(world, 'videos list --csv', new RegExp(status))

async function signedIn(gateway: TestGateway, phone: string): Promise<Visitor> {
  const visitor = openVisitor(gateway)
  const { status } = await visitor.signIn(phone)
  if (status !== 200) throw new Error(`${phone} is not signed in: ${status}`)
  return visitor
}

/** People who sign in, pay, invite, and ask to be verified: all at one moment, for notices of it go out by a timer. */
async function servePeople(
  world: World,
  gateway: TestGateway,
  [first = '']: readonly string[],
): Promise<void> {
  const did = async (who: Visitor, method: string, path: string, body?: object): Promise<never> => {
    const reply = await who.send(method, path, body)
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const parvin = await signedIn(gateway, '09120000001')
  const guest = await signedIn(gateway, '09120000002')
  await did(parvin, 'POST', '/codes', { code: first })
  for (const state of ['paid', 'failed', null] as const) {
    const pays = { gateway: 'main', coins: 60_000, rate: '100000' }
    const { id, reference } = (await did(parvin, 'POST', '/top-ups', pays)) as Record<
      string,
      string
    >
    if (state !== null) world.bank.decide(reference ?? '', state)
    if (state !== null) await gateway.payments.cards.settle(id as never).catch(() => null)
    Object.assign(world.values, { [`payment-${state ?? 'started'}`]: id })
  }
  await did(parvin, 'POST', '/members/invitations', { phone: '09120000002', role: 'member' })
  await did(guest, 'POST', '/invitations/1/accept')
  await did(parvin, 'POST', '/members/invitations', { phone: '09120000003', role: 'owner' })
  await did(parvin, 'POST', '/verification', {
    first_name: 'Parvin',
    last_name: 'Rad',
    national_code: '0012345679',
    birth_date: '1990-03-21',
    consent: true,
  })
  const { data } = (await did(parvin, 'GET', '/projects')) as { data: { id: number }[] }
  const key: { readonly secret: string } = await did(parvin, 'POST', '/keys', {
    project: data[0]?.id,
    name: 'desk',
  })
  Object.assign(world.values, { 'parvin-key': key.secret })
  Object.assign(world.values, { parvin: parvin.cookie(), guest: guest.cookie() })
}
