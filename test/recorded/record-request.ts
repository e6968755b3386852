import { readFileSync } from 'node:fs'
import { operationRows } from '../../src/business/operations/table'
import { printedCode } from '../console/visitor'
import type { TestGateway } from '../support/gateway'
import { CookieJar } from '../support/cookie-jar'
import { part, readable } from './recording'
import type { World } from './world'

/** A request as a line says it: `staff POST /codes {"usd": "50", "count": 3}`, or with a file: `< {bill.csv}`. */
interface WrittenRequest {
  /** Whose it is, by what the line begins with. */
  readonly who: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string | null
  readonly file: string | null
}

const form = /^(?:([a-z]+) )?([A-Z]+) (\S+)(?: (\{.*\})| < (\S+))?$/

/** @param usual whose a line is that does not say @throws Error on a line of another form */
export function requestOf(
  line: string,
  values: World['values'] = {},
  usual = 'owner',
): WrittenRequest {
  const filled = line.replaceAll(/\{([\w.-]+)\}/g, (as, name: string) => values[name] ?? as)
  const [, who = usual, method, path, body = null, file = null] = form.exec(filled) ?? []
  if (method === undefined || path === undefined) throw new Error(`no request: ${line}`)
  return { who, method, path, body, file }
}

/** What a path with names in it stands for. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/(?<=.)\/$/, '').replaceAll(/\{\w+\}|:\w+/g, '[^/]+')}$`)

/** Name of the operation that a line calls. */
export function operationOf(line: string): string | undefined {
  const { method, path } = requestOf(line)
  const [place = ''] = path.split('?')
  return operationRows.find((row) => row.method === method && patternOf(row.path).test(place))?.name
}

/** Status and body of an answer, with placeholders. */
async function answerText(world: World, response: Response): Promise<string> {
  const text = world.normal(await response.text())
  return `status ${response.status}\n${readable(text === '' ? '' : `${text.trimEnd()}\n`)}`
}

/** Sends a line to `/admin/v1`. */
export async function sendRequest(
  world: World,
  gateway: TestGateway,
  line: string,
): Promise<Response> {
  const { who, method, path, body, file } = requestOf(line, world.values)
  return await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${world.values[who]}`, 'accept-language': 'en' },
    ...(method === 'GET' ? {} : { body: file === null ? body : readFileSync(file) }),
  })
}

/** Browsers of people, each with its cookies. */
export type Browsers = Map<string, CookieJar>

/** Sends a line to `/app/api` from the browser of whom it names, and says what came back. */
export async function recordVisit(
  world: World,
  gateway: TestGateway,
  browsers: Browsers,
  line: string,
): Promise<string> {
  const { who, method, path, body } = requestOf(line, world.values, 'parvin')
  const { origin } = new URL(gateway.url)
  const jar = browsers.get(who) ?? new CookieJar()
  browsers.set(who, jar)
  const printed = gateway.logs().length
  const cookie = jar.all()
  const response = await fetch(`${origin}/app/api${path}`, {
    method,
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(cookie === '' ? {} : { cookie }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body }),
  })
  jar.keep(response.headers)
  if (response.ok && sendsCode.test(path))
    world.values['code'] = await printedCode(() => gateway.logs().slice(printed))
  const [notice] = (await response.clone().text()).match(/\bntc_[0-9a-f]{32}\b/) ?? []
  if (notice !== undefined) world.values['notice'] = notice
  return await answerText(world, response)
}

const sendsCode = /^\/(?:sign-in|proof\/code)$/

/** Sends a line to `/admin/v1`, and says what came back. */
export const recordRequest = async (
  world: World,
  gateway: TestGateway,
  line: string,
): Promise<string> => await answerText(world, await sendRequest(world, gateway, line))

interface TrailPage {
  readonly data: readonly { readonly id: number }[]
}

/** Says after each change what came into the trail; lines name the last of it as `{newest}`. */
export async function trailByHttp(
  world: World,
  gateway: TestGateway,
): Promise<() => Promise<string>> {
  const newest = async () => {
    const response = await sendRequest(world, gateway, 'GET /trail?max=9')
    const text = await response.text()
    if (!response.ok) throw new Error(`no trail: ${text}`)
    return (JSON.parse(text) as TrailPage).data
  }
  let last = (await newest())[0]?.id ?? 0
  return async () => {
    const fresh = (await newest()).filter(({ id }) => id > last).toReversed()
    last = fresh.at(-1)?.id ?? last
    Object.assign(world.values, { newest: String(last) })
    return part('trail', fresh.map((row) => `${world.normal(JSON.stringify(row))}\n`).join(''))
  }
}
