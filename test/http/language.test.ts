import { expect, test } from 'bun:test'
import { readLanguage } from '../../src/gateway/http/language'

test.each([
  [null, 'fa'],
  // What fetch sends on its own.
  ['*', 'fa'],
  ['', 'fa'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['de, en;q=0.5', 'en'],
  ['fa', 'fa'],
  ['fa-IR,fa;q=0.9,en;q=0.8', 'fa'],
  ['en,fa', 'en'],
  ['fa,en', 'fa'],
  ['en;q=0.3, fa;q=0.7', 'fa'],
  ['fa;q=0.3, en;q=0.7', 'en'],
  ['fa;q=0.8, de, en-GB ; q=0.9', 'en'],
  ['en;q=0', 'fa'],
  ['eng', 'fa'],
  ['x-en', 'fa'],
  ['de;q=en', 'fa'],
] as const)('Accept-Language %p is answered in %s', (accepted, language) => {
  const headers = new Headers(accepted === null ? {} : { 'accept-language': accepted })
  expect(readLanguage(headers)).toBe(language)
})
