/** Every route that has an id in its path, asked for ids that cannot be any. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { operatorKey, setUpOperator } from '../console/operator-visitor'
import { openVisitor } from '../console/visitor'
import { allRoutes } from '../support/all-routes'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
/** What opens the routes below a prefix. */
const headers = new Map<string, Readonly<Record<string, string>>>()

interface Row {
  readonly method: string
  /** `{}` where an id stands. */
  readonly path: string
}

const rows: readonly Row[] = allRoutes.filter(({ path }) => path.includes('{}'))

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  const { origin } = new URL(gateway.url)
  const browser = { origin, 'sec-fetch-site': 'same-origin' }
  const visitor = openVisitor(gateway)
  await visitor.signIn('09123456789')
  const operator = (await setUpOperator(gateway, systemClock)).visitor
  headers.set('/v1/', { authorization: `Bearer ${gateway.key}` })
  headers.set('/admin/v1/', { authorization: `Bearer ${await operatorKey(gateway, 'owner')}` })
  headers.set('/app/api/operator/', { ...browser, cookie: operator.cookie() })
  headers.set('/app/api/', { ...browser, cookie: visitor.cookie() })
})
afterAll(() => gateway.close())

const headersOf = (path: string) =>
  [...headers].find(([prefix]) => path.startsWith(prefix))?.[1] ?? {}

/** Whether the id there is a number: others may be any text. */
const isNumber = async (row: Row) => (await ask(row, 'x')) === 400

async function ask({ method, path }: Row, id: string): Promise<number> {
  const answer = await fetch(`${new URL(gateway.url).origin}${path.replaceAll('{}', id)}`, {
    method,
    headers: headersOf(path),
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  await answer.body?.cancel()
  return answer.status
}

/** Rows that do not answer as they should, and with what. */
async function others(id: string, expected: (row: Row) => Promise<readonly number[]>) {
  const found: string[] = []
  for (const row of rows) {
    const status = await ask(row, id)
    if (!(await expected(row)).includes(status)) found.push(`${row.method} ${row.path}: ${status}`)
  }
  return found
}

describe('an id in a path', () => {
  test('is found in every part of the program', () => {
    for (const prefix of headers.keys())
      expect(rows.filter(({ path }) => path.startsWith(prefix)).length).toBeGreaterThan(3)
  })

  test.each([
    ['that is half an encoding', '%'],
    ['whose encoding is no UTF-8', '%ff'],
    ['with a byte of a character missing', 'a%E2%82'],
    ['that is longer than any', 'x'.repeat(3000)],
  ])('%s is 400 on every route', async (_, id) => {
    expect(await others(id, async () => [400])).toEqual([])
  })

  test('that is a number in another form is 400 where numbers are, and names nothing elsewhere', async () => {
    expect(
      await others('1e9', async (row) => ((await isNumber(row)) ? [400] : [400, 404, 409])),
    ).toEqual([])
  })
})
