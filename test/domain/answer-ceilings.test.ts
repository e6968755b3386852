import { describe, expect, test } from 'bun:test'
import { maxAnswerBytes } from '../../src/domain/answer-ceilings'

const megabyte = 1_048_576

describe('the ceiling of a whole answer', () => {
  test('is that of its family', () => {
    expect(maxAnswerBytes('chat')).toBe(16 * megabyte)
    expect(maxAnswerBytes('embeddings')).toBe(64 * megabyte)
    expect(maxAnswerBytes('video job')).toBe(megabyte)
  })

  test('grows with the pictures that were asked for', () => {
    expect(maxAnswerBytes('images')).toBe(64 * megabyte)
    expect(maxAnswerBytes('images', { count: 10 })).toBe(640 * megabyte)
  })

  test('grows with vectors where the usual cannot hold them', () => {
    expect(maxAnswerBytes('embeddings', { count: 100 })).toBe(64 * megabyte)
    expect(maxAnswerBytes('embeddings', { count: 2048 })).toBe(192 * megabyte)
  })

  test('is higher where pictures or sound stand between its words', () => {
    expect(maxAnswerBytes('responses', { hasMedia: true })).toBe(64 * megabyte)
    expect(maxAnswerBytes('moderations', { hasMedia: true })).toBe(maxAnswerBytes('moderations'))
  })
})
