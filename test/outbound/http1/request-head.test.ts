import { expect, test } from 'bun:test'
import { readOrigin } from '../../../src/gateway/outbound/http1/origin'
import { openRequestHead } from '../../../src/gateway/outbound/http1/request-head'

const head = openRequestHead(readOrigin('http://vendor.test/v1'), [['authorization', 'Bearer x']])
const post = { method: 'POST', path: '/chat', contentType: 'text/plain', contentBytes: 2 }

test('each request has its own head, whatever the one before was', () => {
  const same = 'host: vendor.test\r\nauthorization: Bearer x\r\n'
  const wholes = [
    post,
    { ...post, contentBytes: 30 },
    { ...post, path: '/other', fields: [['x-one', '1']] as const },
    { ...post, contentType: null, contentBytes: null },
    { ...post, method: 'PUT' },
    post,
  ].map((parts) => head(parts).join(''))
  expect(wholes).toEqual([
    `POST /v1/chat HTTP/1.1\r\n${same}content-type: text/plain\r\ncontent-length: 2\r\n\r\n`,
    `POST /v1/chat HTTP/1.1\r\n${same}content-type: text/plain\r\ncontent-length: 30\r\n\r\n`,
    `POST /v1/other HTTP/1.1\r\n${same}content-type: text/plain\r\ncontent-length: 2\r\nx-one: 1\r\n\r\n`,
    `POST /v1/chat HTTP/1.1\r\n${same}\r\n`,
    `PUT /v1/chat HTTP/1.1\r\n${same}content-type: text/plain\r\ncontent-length: 2\r\n\r\n`,
    `POST /v1/chat HTTP/1.1\r\n${same}content-type: text/plain\r\ncontent-length: 2\r\n\r\n`,
  ])
})

test.each(['/a b', '/a\r\nx: y', '/سلام'])(
  'a path of %p makes none, asked again or not',
  (path) => {
    for (let times = 0; times < 2; times++) expect(() => head({ ...post, path })).toThrow(TypeError)
    expect(head(post).join('')).toStartWith('POST /v1/chat HTTP/1.1\r\n')
  },
)

test('a field of more than one line makes none', () => {
  expect(() => head({ ...post, fields: [['x-one', '1\r\nx: y']] })).toThrow('x-one')
})
