import { describe, expect, test } from 'bun:test'
import { ask, openTestGateway, addModel } from '../support/gateway'

describe('a model that is not there', () => {
  test.each([
    ['Gpt 4o', 'gpt-4o'],
    ['gpt4o-mini', 'gpt-4o-mini'],
    ['claude-sonnet-45', 'claude-sonnet-4-5'],
    ['sandbox/ecoh', 'sandbox/echo'],
    ['mistral-large', null],
    ['x', null],
    ['gpt-4o'.repeat(12), null],
  ])('%s: the answer names %p', async (asked, near) => {
    const chapar = await openTestGateway({
      async prepare(storage) {
        for (const id of ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5'])
          await addModel(storage, id, ['sandbox'])
      },
    })
    const answer = await chapar.post(ask(asked), { 'accept-language': 'en' })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    await chapar.close()
    expect(error.code).toBe('model_not_found')
    const named = /Did you mean (\S+)\?/.exec(error.message)?.[1] ?? null
    expect(named).toBe(near)
  })
})
