import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { invoke } from '../../src/business/operations/invoke'
import type { Operation } from '../../src/business/operations/operation'
import { adminDocument } from '../../src/business/operations/document'
import { operationRows } from '../../src/business/operations/table'
import { isAdminError } from '../../src/business/operations/admin-error'
import { operatorRoles } from '../../src/domain/fields/operator-fields'
import { mayAs } from '../../src/domain/role'
import { operatorKey } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { remoteOperator } from '../support/requesters'

let gateway: TestGateway
const keys = new Map<string, string>()

beforeAll(async () => {
  gateway = await openTestGateway()
  for (const role of operatorRoles) keys.set(role, await operatorKey(gateway, role))
})
afterAll(() => gateway.close())

/** An address of the row with something in the place of each part. */
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, '999')

const send = async (key: string, { method, path }: Operation, body?: unknown) =>
  await fetch(`${new URL(gateway.url).origin}/admin/v1${filled(path)}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })

const codeOf = async (response: Response): Promise<string | null> =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? null

describe('the table of operations', () => {
  test('has one row of a name, and one of an address', () => {
    const names = operationRows.map(({ name }) => name)
    const addresses = operationRows.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(names.length).toBeGreaterThan(30)
  })

  test('lets a viewer read and nothing else', () => {
    const changing = operationRows.filter(
      ({ method, role }) => method !== 'GET' && mayAs('viewer', role),
    )
    expect(changing.map(({ name }) => name)).toEqual([])
    const unread = operationRows.filter(
      ({ method, role }) => method === 'GET' && !mayAs('viewer', role),
    )
    expect(unread.map(({ name }) => name)).toEqual([])
  })

  test('leaves rules of money and of who operates to owners', () => {
    const owners =
      /^(?:rate\.set|group\.|price(?!\.preview)|model|vendor(?!\.test)|setting\.|operator\.|operator_key\.|trail\.undo|health\.backup)/
    const wrong = operationRows.filter(
      ({ name, method, role }) => method !== 'GET' && owners.test(name) && role !== 'owner',
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('is described whole', () => {
    const { paths } = adminDocument() as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(described.toSorted()).toEqual(operationRows.map(({ name }) => name).toSorted())
  })
})

test.each([
  ['en', 'name: must not be empty', 'there is no account 999999'],
  ['fa', 'name: نباید خالی باشد.', 'حساب 999999 نیست.'],
])('a refusal is in the language of the request: %s', async (language, empty, missing) => {
  const headers = {
    authorization: `Bearer ${keys.get('owner')}`,
    'accept-language': language,
  }
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
      ...init,
      headers,
    })
    const { error } = (await response.json()) as { error: { message: string; facts: object } }
    return [error.message.replaceAll(/[\u2066-\u2069]/g, ''), error.facts]
  }
  const body = JSON.stringify({ name: '' })
  expect(await ask('/accounts', { method: 'POST', body })).toEqual([
    empty,
    { field: 'name', rule: 'too_short', limit: 1 },
  ])
  expect(await ask('/accounts/999999')).toEqual([missing, { account: 999_999 }])
})

describe.each([...operatorRoles])('a key of a %s', (role) => {
  const key = () => keys.get(role) ?? ''

  test.each(
    operationRows.filter((row) => !mayAs(role, row.role)).map((row) => [row.name, row] as const),
  )('may not %s, whatever it sends', async (_, row) => {
    const before = await gateway.storage.trail.list({ subject: null, before: null, max: 1 })
    const response = await send(key(), row)
    expect([response.status, await codeOf(response)]).toEqual([403, 'role_too_low'])
    const after = await gateway.storage.trail.list({ subject: null, before: null, max: 1 })
    expect(after).toEqual(before)
  })

  test.each(
    operationRows
      .filter((row) => mayAs(role, row.role) && row.method !== 'GET')
      .map((row) => [row.name, row] as const),
  )('may %s: a field that nobody knows is refused by its name', async (_, row) => {
    const response = await send(key(), row, { nobody_knows: 1 })
    const { error } = (await response.json()) as { error: { code: string; param: string } }
    expect([response.status, error.code]).toEqual([400, 'input_invalid'])
  })
})

describe('an operation', () => {
  const parts = () => {
    const { storage } = gateway
    return { requester: remoteOperator('owner'), storage } as never
  }
  const rowOf = (name: string): Operation => {
    const row = operationRows.find((each) => each.name === name)
    if (row === undefined) throw new Error(`no ${name}`)
    return row
  }
  const refusalOf = async (name: string, sent: object): Promise<string> => {
    try {
      await invoke(rowOf(name), parts(), { params: {}, query: {}, body: undefined, ...sent })
    } catch (thrown) {
      if (isAdminError(thrown)) return `${thrown.code} ${JSON.stringify(thrown.facts)}`
      throw thrown
    }
    return 'done'
  }

  test('reads numbers and truth of an address as such, and refuses what is none', async () => {
    expect(await refusalOf('account.list', { query: { max: '7', before: '3' } })).toBe('done')
    expect(await refusalOf('account.list', { query: { max: 'many' } })).toStartWith(
      'input_invalid {"field":"max"',
    )
    expect(await refusalOf('account.list', { query: { max: '0' } })).toStartWith('input_invalid')
    expect(await refusalOf('account.list', { query: { max: '9999' } })).toStartWith('input_invalid')
    expect(await refusalOf('account.list', { query: { text: ['a', 'b'] } })).toStartWith(
      'input_invalid',
    )
    expect(await refusalOf('account.get', { params: { id: '-1' } })).toStartWith('input_invalid')
    expect(await refusalOf('account.get', { params: { id: '1e999' } })).toStartWith('input_invalid')
  })

  test('refuses a body that is no object, and amounts that are none', async () => {
    expect(await refusalOf('account.create', { body: [] })).toStartWith('input_invalid')
    expect(await refusalOf('account.create', { body: 'x' })).toStartWith('input_invalid')
    expect(await refusalOf('account.create', { body: { name: '   ' } })).toStartWith(
      'input_invalid',
    )
    for (const usd of ['1e3', '-1', 'NaN', '1.0000000001', '99999999999', ''])
      expect(
        await refusalOf('account.topup', {
          params: { id: '1' },
          body: { usd, reference: 'r' },
        }),
      ).toStartWith('input_invalid')
  })
})
