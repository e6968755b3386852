import { afterAll, beforeAll, expect, test } from 'bun:test'
import { operationRows } from '../../src/business/operations/table'
import { operatorRoles, type OperatorRole } from '../../src/domain/fields/operator-fields'
import { mayAs } from '../../src/domain/role'
import { setUpOperator, type OperatorVisitor } from '../console/operator-visitor'
import type { TestGateway } from '../support/gateway'
import { paced } from '../support/pace'
import { operationChangesByHttp, operationGets } from './lines-operations'
import { modelChangesByHttp } from './lines-operations-models'
import { operationOf, requestOf } from './record-request'
import { seed, serving } from './seed'
import { openWorld, type World } from './world'

/* Each operation, as each role, by each door: a key at `/admin/v1`, and the console in a browser. */

let world: World
beforeAll(async () => {
  world = openWorld()
  await seed(world)
  world.clock.set('2025-09-03T12:00:00Z')
}, paced(60_000))
afterAll(() => world.close())

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function byKey(gateway: TestGateway, role: OperatorRole, line: string): Promise<Answer> {
  const { method, path, body } = requestOf(line, world.values)
  const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${world.values[role]}`, 'accept-language': 'en' },
    ...(method === 'GET' ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

async function byBrowser(visitor: OperatorVisitor, line: string): Promise<Answer> {
  const { method, path, body } = requestOf(line, world.values)
  const sent: unknown = body === null ? undefined : JSON.parse(body)
  const reply = await visitor.send(method, path, sent, { 'accept-language': 'en' })
  return { status: reply.status, body: reply.body === '' ? null : reply.body }
}

/** Code of a refusal, without which no two doors are compared: their bodies have other forms. */
const codeOf = ({ body }: Answer): unknown =>
  (body as { readonly error?: { readonly code?: unknown } } | null)?.error?.code ?? null

/** Says who asks, at which moment, or by which door. */
const ofTheAsker: ReadonlySet<string> = new Set(['identity.get', 'overview.get', 'health.get'])

test(
  'answer alike by key and in the browser, and refuse who may not',
  () =>
    serving(world, 'seed', async (gateway) => {
      const clock = { now: () => Date.now() as never }
      const visitors = new Map<OperatorRole, OperatorVisitor>()
      for (const role of operatorRoles) {
        const { visitor } = await setUpOperator(gateway, clock, { name: `${role}.two`, role })
        visitors.set(role, visitor)
      }
      const firstOf = new Map<string, string>()
      for (const line of [...operationGets, ...operationChangesByHttp, ...modelChangesByHttp]) {
        const name = operationOf(line)
        const isPlain = /^[A-Z]+ /.test(line) && !line.includes(' < ')
        if (name !== undefined && isPlain && !firstOf.has(name)) firstOf.set(name, line)
      }
      let compared = 0
      for (const { name, method, role: least } of operationRows)
        for (const [role, visitor] of visitors) {
          const line = firstOf.get(name)
          const may = mayAs(role, least)
          // What may be changed is changed once, by the recordings.
          if (line === undefined || (may && method !== 'GET')) continue
          world.clock.pass(1_000)
          const [key, browser] = [await byKey(gateway, role, line), await byBrowser(visitor, line)]
          const both = { line, role, status: key.status, code: codeOf(key) }
          expect({ ...both, status: browser.status, code: codeOf(browser) }).toEqual(both)
          expect({ line, role, refused: codeOf(key) === 'role_too_low' }).toEqual({
            line,
            role,
            refused: !may,
          })
          if (key.status === 200 && !ofTheAsker.has(name)) {
            // A job of the seed may end, and be refunded, between the two.
            const same = Bun.deepEquals(browser.body, key.body)
            const { body } = same ? key : await byKey(gateway, role, line)
            expect({ line, body: browser.body }).toEqual({ line, body })
          }
          compared++
        }
      expect(compared).toBeGreaterThan(200)
    }),
  paced(60_000),
)
