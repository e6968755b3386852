import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { memo, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CopyLines } from '../parts/copy-once'
import { outerHref } from './outer-href'

/**
 * Answer of a model, by its marks of Markdown. No HTML is ever made of it: marks become elements, and
 * everything else is text. Nothing is loaded: a picture is a link to it.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="written">{blocks(lexer(text, { gfm: true, breaks: true }))}</div>
})

const blocks = (tokens: readonly Token[]): readonly ReactNode[] =>
  tokens.map((token, at) => <Block key={at} token={token as MarkedToken} />)

function Block({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'heading':
      // The page has headings of its own.
      return (
        <p dir="auto" className="written-heading">
          {inlines(token.tokens)}
        </p>
      )
    case 'code':
      return <Code token={token} />
    case 'blockquote':
      return <blockquote dir="auto">{blocks(token.tokens)}</blockquote>
    case 'list':
      return <List token={token} />
    case 'table':
      return <Table token={token} />
    case 'paragraph':
    case 'text':
      return (
        <p dir="auto">{token.tokens === undefined ? plain(token.text) : inlines(token.tokens)}</p>
      )
    default:
      return <p dir="auto">{token.raw}</p>
  }
}

function Code({ token }: { readonly token: Tokens.Code }) {
  const t = useTranslations('talk')
  return (
    <div className="written-code">
      <CopyLines text={token.text} label={t('code', { language: token.lang ?? '' })} />
    </div>
  )
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, at) => (
    <li key={at} dir="auto">
      {item.task && (item.checked === true ? '☑ ' : '☐ ')}
      {item.tokens.map((each, inner) =>
        // One line of its own needs no paragraph.
        each.type === 'text' && 'tokens' in each && each.tokens !== undefined ? (
          <span key={inner}>{inlines(each.tokens)}</span>
        ) : (
          <Block key={inner} token={each as MarkedToken} />
        ),
      )}
    </li>
  ))
  return token.ordered ? (
    <ol start={token.start === '' ? 1 : token.start}>{items}</ol>
  ) : (
    <ul>{items}</ul>
  )
}

const Table = ({ token }: { readonly token: Tokens.Table }) => (
  <div className="sideways" tabIndex={-1}>
    <table dir="auto">
      <thead>
        <tr>
          {token.header.map((cell, at) => (
            <th key={at} scope="col">
              {inlines(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {token.rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, inner) => (
              <td key={inner}>{inlines(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const inlines = (tokens: readonly Token[]): readonly ReactNode[] =>
  tokens.map((token, at) => <Inline key={at} token={token as MarkedToken} />)

function Inline({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>
    case 'em':
      return <em>{inlines(token.tokens)}</em>
    case 'del':
      return <del>{inlines(token.tokens)}</del>
    case 'codespan':
      return (
        <code className="code" dir="ltr">
          {plain(token.text)}
        </code>
      )
    case 'br':
      return <br />
    case 'link':
      return <OuterLink href={token.href}>{inlines(token.tokens)}</OuterLink>
    case 'image':
      return <Picture token={token} />
    case 'text':
      return token.tokens === undefined ? plain(token.text) : inlines(token.tokens)
    case 'escape':
      return plain(token.text)
    default:
      return token.raw
  }
}

const Picture = ({ token }: { readonly token: Tokens.Image }) => {
  const t = useTranslations('talk')
  return <OuterLink href={token.href}>{t('picture', { name: token.text })}</OuterLink>
}

/** It learns nothing of this page. */
const OuterLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => {
  const target = outerHref(href)
  return target === null ? (
    <span>{children}</span>
  ) : (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
}

const plain = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
