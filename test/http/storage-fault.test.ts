import { describe, expect, test } from 'bun:test'
import { storageFault } from '../../src/domain/storage-fault'
import { GatewayError } from '../../src/errors/gateway-error'
import { toGatewayError } from '../../src/gateway/http/error-response'
import { faultMessage, revived } from '../../src/business/data/postgres/store-protocol'
import { DatabaseFault } from '../../src/storage/postgres/database-fault'

const coded = (fields: object, cause?: unknown) =>
  Object.assign(new Error('no', cause === undefined ? undefined : { cause }), fields)

/** What storage says when it cannot be written or read by now. */
const faults: readonly (readonly [string, Error])[] = [
  ['a full disk', coded({ code: 'ENOSPC', errno: -28, syscall: 'write' })],
  ['a quota', coded({ code: 'EDQUOT' })],
  ['a read-only file system', coded({ code: 'EROFS' })],
  ['a broken disk', coded({ code: 'EIO' })],
  ['a full disk, by SQLite', coded({ code: 'SQLITE_FULL', errno: 13 })],
  ['a read-only database', coded({ code: 'SQLITE_READONLY', errno: 8 })],
  ['a read-only folder', coded({ code: 'SQLITE_READONLY_DIRECTORY' })],
  ['a failed write', coded({ code: 'SQLITE_IOERR_WRITE' })],
  ['a damaged database', coded({ code: 'SQLITE_CORRUPT' })],
  ['a full disk, inside of a query', coded({}, coded({ code: 'SQLITE_FULL' }))],
  ['a full disk, by PostgreSQL', coded({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '53100' })],
  ['a full disk, from a thread', new DatabaseFault('53100', 'could not extend file')],
  ['too many connections', new DatabaseFault('53300', 'sorry')],
  ['a server that ends', coded({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '57P01' })],
  ['a replica', coded({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '25006' })],
  ['a database that does not answer', new DatabaseFault('away', 'gone')],
]

describe('storage that cannot be written by now', () => {
  test.each(faults)('%s is 503, to be tried again', (_, fault) => {
    expect(storageFault(fault)).not.toBeNull()
    const error = toGatewayError(fault)
    expect([error.status, error.code, error.cause]).toEqual([503, 'gateway_error', fault])
    expect(error.retryAfterSeconds).toBeGreaterThan(0)
  })

  test.each(faults)('%s is known across threads', (_, fault) => {
    expect(storageFault(revived(structuredClone(faultMessage(fault))))).not.toBeNull()
  })

  test('is no fault of ours', () => {
    const ours = [
      coded({ code: 'SQLITE_CONSTRAINT_UNIQUE', errno: 2067 }),
      coded({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '23505' }),
      coded({ code: 'ENOENT' }),
      new TypeError('x is undefined'),
      'thrown',
    ]
    expect(ours.map(storageFault)).toEqual(ours.map(() => null))
    expect(ours.map((fault) => toGatewayError(fault).status)).toEqual(ours.map(() => 500))
  })

  test('a refusal stays what it is', () => {
    const refusal = new GatewayError('invalid_api_key', {})
    expect(toGatewayError(refusal)).toBe(refusal)
  })
})
