import { describe, expect, test } from 'bun:test'
import type { RequestId } from '../../src/domain/ids'
import { answerHeaders, preflightHeaders } from '../../src/gateway/http/headers'

const requestId = 'req_1' as RequestId
const asked = { requestId, headers: new Headers() }
const askedByPage = { requestId, headers: new Headers({ origin: 'https://page.example' }) }
const listOf = (value: string | undefined) => (value ?? '').split(', ')

describe('the headers of an answer', () => {
  test('name the request, and the key’s allowance when the key is known', () => {
    expect(answerHeaders(asked, null)).not.toHaveProperty('x-ratelimit-limit')
    expect(answerHeaders(asked, { limit: 60, remaining: 0 })).toMatchObject({
      'x-request-id': 'req_1',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
    })
  })

  test('let a page of any origin read everything we tell', () => {
    const headers = answerHeaders(askedByPage, { limit: 60, remaining: 59 })
    expect(headers['access-control-allow-origin']).toBe('*')
    const exposed = listOf(headers['access-control-expose-headers'])
    const ours = Object.keys(headers).filter((name) => name.startsWith('x-'))
    const told = [...ours, 'x-cost-usd', 'retry-after', 'x-should-retry']
    expect(told.filter((name) => !exposed.includes(name))).toEqual([])
  })

  test('say nothing of pages where no page asks', () => {
    const names = Object.keys(answerHeaders(asked, { limit: 60, remaining: 59 }))
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('are new for every answer, which may add its own', () => {
    answerHeaders(asked, null)['x-cost-usd'] = '1'
    expect(answerHeaders(asked, null)).not.toHaveProperty('x-cost-usd')
  })
})

test('a browser may send every method we have, either key header, and any other', () => {
  const methods = listOf(preflightHeaders['access-control-allow-methods'])
  expect(['GET', 'POST', 'DELETE'].filter((name) => !methods.includes(name))).toEqual([])
  // The star does not stand for `authorization`.
  const headers = listOf(preflightHeaders['access-control-allow-headers'])
  expect(['*', 'authorization', 'x-api-key'].filter((name) => !headers.includes(name))).toEqual([])
  expect(preflightHeaders['access-control-allow-origin']).toBe('*')
  expect(Number(preflightHeaders['access-control-max-age'])).toBeGreaterThan(0)
})
