import { MantineProvider } from '@mantine/core'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { join } from 'node:path'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { fieldsOf } from '../../src/web/calculator-fields'
import { requestedOf, begun, messagesFor, type Turn } from '../../src/web/playground/chat-turns'
import { outerHref } from '../../src/web/playground/outer-href'
import { en } from '../../src/web/texts/en'
import { enPlayground } from '../../src/web/texts/en-playground'

/** A part of the pages: only their own project knows their syntax. */
const { Markdown } = (await import(
  join(import.meta.dir, '../../src/web/playground/markdown.tsx')
)) as {
  Markdown: FunctionComponent<{ text: string }>
}

const turn = (id: number, question: string, ...texts: string[]): Turn => ({
  id,
  question,
  answers: texts.map((text) => ({ ...begun('m'), text, state: 'done' })),
})

describe('a conversation', () => {
  test('goes on with what each model has said itself, behind the rules', () => {
    const turns = [turn(1, 'one?', 'left 1', 'right 1'), turn(2, 'two?', 'left 2', 'right 2')]
    expect(messagesFor(turns, 1, { system: 'Be short.', question: 'three?' })).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'one?' },
      { role: 'assistant', content: 'right 1' },
      { role: 'user', content: 'two?' },
      { role: 'assistant', content: 'right 2' },
      { role: 'user', content: 'three?' },
    ])
  })

  test('leaves out questions that a model did not answer or was not asked', () => {
    const turns = [turn(1, 'one?', 'left 1'), turn(2, 'two?', '', 'right 2')]
    const asked = { system: ' ', question: 'three?' }
    expect(messagesFor(turns, 0, asked).map(({ content }) => content)).toEqual([
      'one?',
      'left 1',
      'three?',
    ])
    expect(messagesFor(turns, 1, asked).map(({ content }) => content)).toEqual([
      'two?',
      'right 2',
      'three?',
    ])
  })

  test('asks for an effort of a model that has it', () => {
    const parameters = { system: '', temperature: null, maxTokens: null, effort: 'high' }
    expect(requestedOf('m', [], parameters, ['low', 'high']).effort).toBe('high')
    expect(requestedOf('m', [], parameters, ['low']).effort).toBeNull()
  })
})

const shown = (text: string): string =>
  renderToStaticMarkup(
    createElement(IntlProvider, {
      locale: 'en',
      timeZone: 'UTC',
      messages: { ...en, ...enPlayground },
      children: createElement(MantineProvider, null, createElement(Markdown, { text })),
    }),
  ).replace(/<style[^]*?<\/style>/g, '')

describe('what a model writes', () => {
  test('is shown by its marks', () => {
    const html = shown(
      '# Head\n\n1. **a** `b`\n2. *c*\n\n> d\n\n```js\nlet x\n```\n\n| e |\n|---|\n| f |',
    )
    for (const part of [
      'written-heading">Head</p>',
      '<strong>a</strong>',
      '<em>c</em>',
      '<blockquote',
      'aria-label="Code js"',
      '<td>f</td>',
    ])
      expect(html).toContain(part)
  })

  test('never becomes HTML, whatever it is', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '[x](javascript:alert(1))',
        '[x](data:text/html,y)',
        '![x](https://tracker.example/p.png)',
        '<a href="https://evil.example" onclick="x()">',
        '[x](/app/api/me)',
        '**',
        '`',
        '```\n',
        '\n\n',
        '> ',
        '| a |\n|---|\n',
        '- ',
        '&lt;b&gt;',
        '<b',
        'text',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(hostile, (parts) => {
        const html = shown(parts.join(''))
        expect(html).not.toMatch(/<(?:script|img|iframe|b)\b/i)
        for (const [, href = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g))
          expect(href).toStartWith('https://')
        for (const [link] of html.matchAll(/<a\b[^>]*>/g))
          expect(link).toMatch(
            /^<a href="[^"]*" target="_blank" rel="noopener noreferrer nofollow">$/,
          )
      }),
      { numRuns: 300 },
    )
  })

  test('links to the web and to mail, and nowhere else', () => {
    expect(outerHref('https://example.com/a b')).toBe('https://example.com/a%20b')
    expect(outerHref('mailto:a@example.com')).toBe('mailto:a@example.com')
    for (const href of ['javascript:x', 'data:text/html,x', 'vbscript:x', '/app', 'blob:x', ''])
      expect(outerHref(href)).toBeNull()
  })
})

test('the calculator asks for what a model is sold by, sizes and qualities as one choice', () => {
  const fields = fieldsOf({
    base: {
      request: '1',
      output: '1',
      input: '1',
      cached_input: '1',
      'image:low': '1',
      'image:high': '1',
      'image:partial': '1',
      'tool:web_search': '1',
      'tool:file_search': '1',
    },
  })
  expect(fields.map(({ meters, kind, isRare }) => [meters.join(' '), kind, isRare])).toEqual([
    ['input', 'tokens', false],
    ['output', 'tokens', false],
    ['cached_input', 'tokens', true],
    ['image:low image:high', 'pictures', false],
    ['image:partial', 'pictures', true],
    ['tool:web_search', 'uses', true],
    ['tool:file_search', 'uses', true],
  ])
})
