import { Button, Group, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { copyShown } from '../copy'

type Outcome = 'copied' | 'copyFailed' | null

/** Text to be copied whole, beside its button. */
export function CopyOnce({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useTranslations('copying')
  const shown = useRef<HTMLOutputElement>(null)
  const [outcome, setOutcome] = useState<Outcome>(null)
  const copy = async () => {
    if (shown.current === null) return
    setOutcome((await copyShown(shown.current)) ? 'copied' : 'copyFailed')
  }
  return (
    <>
      <Group wrap="nowrap" className="secret-box" gap="sm" dir="ltr" lang="en">
        <output ref={shown} className="code secret" aria-label={label}>
          {text}
        </output>
        <CopyButton outcome={outcome} onCopy={copy} />
      </Group>
      <VisuallyHidden role="status">{outcome === null ? '' : t(outcome)}</VisuallyHidden>
    </>
  )
}

interface CopyLinesProps {
  readonly text: string
  readonly label: string
  /** Words of people, in whatever script; else code. */
  readonly isProse?: boolean
}

/** Several lines, and a button below them. */
export function CopyLines({ text, label, isProse = false }: CopyLinesProps) {
  const t = useTranslations('copying')
  const shown = useRef<HTMLPreElement>(null)
  const [outcome, setOutcome] = useState<Outcome>(null)
  const copy = async () => {
    if (shown.current === null) return
    setOutcome((await copyShown(shown.current)) ? 'copied' : 'copyFailed')
  }
  return (
    <>
      {/* It scrolls sideways: the keyboard must reach it. */}
      <pre
        ref={shown}
        className={isProse ? 'prose' : 'code sample'}
        {...(isProse ? { dir: 'auto' } : { dir: 'ltr', lang: 'en' })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {text}
      </pre>
      <Group mt="xs">
        <CopyButton outcome={outcome} onCopy={copy} />
      </Group>
      <VisuallyHidden role="status">{outcome === null ? '' : t(outcome)}</VisuallyHidden>
    </>
  )
}

interface CopyButtonProps {
  readonly outcome: Outcome
  readonly onCopy: () => Promise<void>
}

function CopyButton({ outcome, onCopy }: CopyButtonProps) {
  const t = useTranslations('copying')
  const Icon = outcome === 'copied' ? IconCheck : IconCopy
  return (
    <Button
      size="xs"
      variant="light"
      dir="auto"
      style={{ flexShrink: 0 }}
      leftSection={<Icon size={15} />}
      onClick={() => void onCopy()}
    >
      {t(outcome ?? 'copy')}
    </Button>
  )
}
