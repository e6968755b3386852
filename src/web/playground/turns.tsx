import { Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { CallRefused } from '../parts/call-refused'
import { CallCost } from './call-cost'
import type { ChatAnswer, Turn } from './chat-turns'
import { Markdown } from './markdown'
import { Soft } from '../parts/panel'

/** The conversation so far: each question with its answers below, side by side where there is room. */
export function Turns({ turns }: { readonly turns: readonly Turn[] }) {
  const t = useTranslations('talk')
  const last = turns.at(-1)
  const newest = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // In newer browsers it returns a promise, which is no clean-up.
    newest.current?.scrollIntoView()
  }, [last?.id])
  const isOver = last?.answers.every(({ state }) => state !== 'running') === true
  return (
    <>
      <ol className="turns">
        {turns.map((turn) => (
          <li key={turn.id} ref={turn === last ? newest : null}>
            <div className="asked">
              <VisuallyHidden>{t('you')}: </VisuallyHidden>
              <span dir="auto">{turn.question}</span>
            </div>
            <div className={`answers sides-${turn.answers.length}`}>
              {turn.answers.map((answer, side) => (
                <Answer key={side} answer={answer} />
              ))}
            </div>
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{isOver ? t('ended') : ''}</VisuallyHidden>
    </>
  )
}

function Answer({ answer }: { readonly answer: ChatAnswer }) {
  const t = useTranslations()
  const { model, text, thought, state, error, requestId, costUsd } = answer
  const isRunning = state === 'running'
  return (
    <article className="card answer" aria-busy={isRunning} aria-label={model}>
      <bdi className="code soft request-id" dir="ltr" lang="en">
        {model}
      </bdi>
      {thought !== '' && (
        <details className="more">
          <summary>{t('talk.thought')}</summary>
          <Text size="sm" className="soft" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {thought}
          </Text>
        </details>
      )}
      {text !== '' && <Markdown text={text} />}
      {isRunning && text === '' && <Soft>{t('talk.waiting')}</Soft>}
      {state === 'stopped' && <Soft>{t('playground.stopped')}</Soft>}
      {state === 'failed' && <CallRefused error={error} />}
      {!isRunning && <CallCost requestId={requestId} costUsd={costUsd} />}
    </article>
  )
}
