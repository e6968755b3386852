import { Type, type TSchema } from '@sinclair/typebox'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { InvalidArgumentError, type Command } from 'commander'
import { AdminError, isAdminError } from '../../src/business/operations/admin-error'
import { operationRows } from '../../src/business/operations/table'
import { checkInput } from '../../src/business/operations/refusals/check-input'
import { refusalText } from '../../src/business/operations/refusals/refusal-text'
import { refusalWords, wordsElsewhere } from '../../src/cli/local/refusal-words'
import { fieldWords, namingOptions } from '../../src/cli/generated/name-option'
import { buildProgram } from '../../src/cli/program'
import { RefusedElsewhere } from '../../src/cli/remote/over-http'
import { violationsOf } from '../support/violations'
import { openTerminal, type Terminal } from './terminal'

const thrownBy = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work()
  } catch (thrown) {
    return thrown
  }
  return null
}

const commands = operationRows.flatMap((row) =>
  row.commands.map((form) => ({ row, form, words: fieldWords(row, form) })),
)

/** As a gateway answers it. */
const elsewhere = (error: AdminError): RefusedElsewhere =>
  new RefusedElsewhere(
    refusalText(error, 'en'),
    error.code,
    JSON.parse(JSON.stringify(error.facts)) as object,
  )

describe('the fields of commands', () => {
  test.each(commands.map((each) => [each.form.words, each] as const))(
    'of %s are refused by their options, here and elsewhere',
    async (_, { row, words }) => {
      const schemas: Readonly<Record<string, TSchema>> = {
        ...row.params.properties,
        ...row.query.properties,
        ...row.body.properties,
      }
      for (const [field, word] of words)
        for (const value of violationsOf(schemas[field] ?? Type.Never())) {
          const sent = Type.Object({ [field]: schemas[field] ?? Type.Never() })
          const check = async () => checkInput(sent, { [field]: value })
          const thrown = await thrownBy(() => namingOptions(words, check))
          if (!isAdminError(thrown)) throw thrown
          const said = refusalWords(thrown)
          expect(said).toStartWith(`${word}: `)
          expect(refusalText(thrown, 'fa')).toContain(word)
          expect(said + refusalText(thrown, 'fa')).not.toMatch(/Expected|undefined/)
          const there = async () => {
            const plain = await thrownBy(check)
            throw isAdminError(plain) ? elsewhere(plain) : plain
          }
          const answered = (await thrownBy(() => namingOptions(words, there))) as RefusedElsewhere
          expect(wordsElsewhere(answered)).toBe(said)
        }
    },
  )

  test('are named where exactly one of them is needed', async () => {
    const words = new Map([
      ['id', '<id>'],
      ['batch', '--batch'],
    ])
    const fault = { field: 'id', rule: 'one_of_fields', fields: ['id', 'batch'] } as const
    const error = new AdminError('input_invalid', fault)
    for (const each of [error, elsewhere(error)]) {
      const thrown = await thrownBy(() => namingOptions(words, () => Promise.reject(each)))
      const said = isAdminError(thrown)
        ? refusalWords(thrown)
        : wordsElsewhere(thrown as RefusedElsewhere)
      expect(said).toBe('<id>: exactly one is needed of: <id>, --batch')
    }
  })
})

test('a refusal by a gateway elsewhere says which command goes on, as one from here does', () => {
  const error = new AdminError('key_not_found', { key: 5 })
  expect(wordsElsewhere(elsewhere(error))).toBe('there is no key 5; see chapar key list')
  expect(wordsElsewhere(elsewhere(error))).toBe(refusalWords(error))
  expect(wordsElsewhere(new RefusedElsewhere('of another release', 'later_code', {}))).toBe(
    'of another release',
  )
})

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

test('whatever cannot be read as an option or argument is the fault of how it was typed', () => {
  const wrong: string[] = []
  for (const command of leaves(buildProgram()))
    for (const { parseArg, name } of [...command.options, ...command.registeredArguments].map(
      (each) => ({ parseArg: each.parseArg, name: each.name() }),
    ))
      for (const text of ['', '!!', 'x=y', '-1', '9'.repeat(40)])
        try {
          parseArg?.(text, undefined as never)
        } catch (thrown) {
          if (!(thrown instanceof InvalidArgumentError)) wrong.push(`${command.name()} ${name}`)
        }
  expect([...new Set(wrong)]).toEqual([])
})

describe('exit codes', () => {
  let terminal: Terminal
  beforeAll(async () => {
    terminal = openTerminal()
    await terminal.run('account', 'create', '--name', 'Sara')
  })
  afterAll(() => terminal.close())

  test('are 2 for what cannot be read, and 1 for what a rule refuses', async () => {
    const create = ['project', 'create', '--account', '1']
    const unread = await terminal.run(...create, '--name', 'web', '--monthly-budget', 'much')
    expect([unread.code, unread.stderr.includes('--monthly-budget')]).toEqual([2, true])
    const word = await terminal.run('account', 'set', '1', '--inherit', 'nothing')
    expect([word.code, word.stderr.includes('One of daily-cap, ')]).toEqual([2, true])
    const unnamed = await terminal.run('code', 'revoke', '--batch', 'none')
    expect([unnamed.code, unnamed.stderr]).toEqual([
      1,
      'chapar: there is no code none; see chapar code list\n',
    ])
    const long = await terminal.run(...create, '--name', 'x'.repeat(61))
    expect([long.code, long.stderr]).toEqual([1, 'chapar: --name: at most 60 characters\n'])
    const none = await terminal.run('project', 'create', '--account', '9', '--name', 'web')
    expect(none.code).toBe(1)
    const json = await terminal.run(...create, '--name', 'x'.repeat(61), '--json')
    expect(json.json<object>()).toEqual({
      error: { message: '--name: at most 60 characters', code: 'input_invalid' },
    })
  })
})
