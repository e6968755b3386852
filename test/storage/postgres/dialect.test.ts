import { describe, expect, test } from 'bun:test'
import { bound, translate, typeOfValue, type Given } from '../../../src/storage/postgres/translate'

/** The text for what is given in turn, or by names. */
function textOf(statement: string, given: readonly Given[] | Readonly<Record<string, Given>> = []) {
  const named = given as Readonly<Record<string | number, Given>>
  return translate(statement, (value) => typeOfValue(named[value]))
}

describe('a statement for PostgreSQL', () => {
  test('has numbered parameters, with the types of numbers', () => {
    expect(textOf('a = ? AND b = ? AND c = ?', [1, 'x', 1.5])).toEqual({
      text: 'a = $1::bigint AND b = $2 AND c = $3::double precision',
      values: [0, 1, 2],
    })
  })

  test('says a parameter that stands twice once, and leaves out what is not asked', () => {
    expect(textOf('a = ?3 OR b = ?3 OR c = ?1', [1, 2, 3])).toEqual({
      text: 'a = $1::bigint OR b = $1::bigint OR c = $2::bigint',
      values: [2, 0],
    })
  })

  test('takes names', () => {
    expect(textOf('a > $from AND b = $name', { from: 5, name: 'x' })).toEqual({
      text: 'a > $1::bigint AND b = $2',
      values: ['from', 'name'],
    })
  })

  test('says null as such, and a type where only null is asked for', () => {
    expect(textOf('$key IS NULL OR key = $key', { key: null }).text).toBe(
      'NULL IS NULL OR key = NULL',
    )
    expect(textOf('$key IS NULL OR key = $key', { key: 'a' }).text).toBe(
      '$1::text IS NULL OR key = $1',
    )
  })

  test('leaves strings, names and comments alone', () => {
    const text = `SELECT '?', "a?b", 'it''s $x' -- ? $y`
    expect(textOf(text).text).toBe(text)
  })

  test('has no hints to indexes', () => {
    expect(
      textOf('SELECT 1 FROM a INDEXED BY i CROSS JOIN keys k INDEXED BY j ON k.a = a.b').text,
    ).toBe('SELECT 1 FROM a JOIN keys k ON k.a = a.b')
    expect(textOf(`WHERE t.id > 1 AND +t.kind IN ('x')`).text).toBe(
      `WHERE t.id > 1 AND t.kind IN ('x')`,
    )
    expect(textOf('SELECT a + t.b, -t.c').text).toBe('SELECT a + t.b, -t.c')
  })

  test('leaves numbers that the database gives to it', () => {
    expect(
      textOf('insert into "trail" ("id", "at") values (null, ?), (null, ?)', [1, 2]).text,
    ).toBe('insert into "trail" ("id", "at") values (default, $1::bigint), (default, $2::bigint)')
  })

  test('tells the number of a new transfer', () => {
    expect(textOf('INSERT INTO transfers (a) VALUES (?)', [1]).text).toBe(
      'INSERT INTO transfers (a) VALUES ($1::bigint) RETURNING id',
    )
  })
})

test('truth is a number, integers are whole, and no text has a NUL', () => {
  expect([bound(true), bound(7), bound(0.5), bound('a\0b'), bound(undefined)]).toEqual([
    1n,
    7n,
    0.5,
    'a\u{fffd}b',
    null,
  ])
})
