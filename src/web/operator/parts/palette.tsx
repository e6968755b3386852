import { Loader, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { useNumbers } from '../../numbers'
import { operate, type Result } from '../operate'
import { operatorPages } from '../pages'
import { modelDeskPath } from '../prices/model-detail'
import { vendorPath } from '../vendors/vendor'

type Hit = Result<'GET /search'>['data'][number]

/** Something that can be gone to. */
interface Goal {
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly detail: string
  readonly path: string
}

const typingMs = 120

/** The beginning of a key is enough to find it: the rest stays in the browser. */
const withoutSecret = (text: string): string =>
  text.trim().replace(/^(sk-\w+-v\d+-\w{6})\w+$/, '$1')

/** Where a hit is shown. */
function pathOf({ kind, id, account }: Hit): string {
  if (kind === 'request') return `/operator/requests/${id}`
  if (kind === 'payment') return `/operator/payments/${id}`
  if (kind === 'setting') return `/operator/settings?text=${encodeURIComponent(id)}`
  if (kind === 'vendor') return vendorPath(id)
  if (kind === 'model') return modelDeskPath(id)
  return `/operator/accounts/${account}${kind === 'key' ? '?tab=keys' : ''}`
}

/** Hits of a typed text among pages, actions and the service's data. */
function useGoals(text: string): { readonly goals: readonly Goal[]; readonly isAsking: boolean } {
  const t = useTranslations('palette')
  const nav = useTranslations('operatorNav')
  const { usd } = useNumbers()
  const small = text.toLowerCase()
  const found = useQuery({
    queryKey: ['op', 'search', text],
    queryFn: () => operate('GET /search', { query: { text } }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const pages = operatorPages.flatMap(({ path, rail }) =>
    rail === undefined
      ? []
      : [{ key: path, kind: 'page', title: nav(rail.name), detail: '', path }],
  )
  const actions = [
    {
      key: 'new',
      kind: 'action',
      title: t('newAccount'),
      detail: '',
      path: '/operator/accounts?new',
    },
  ]
  const hits = (text === '' ? [] : (found.data?.data ?? [])).map((hit) => ({
    key: `${hit.kind}:${hit.id}`,
    kind: hit.kind,
    title: hit.title,
    detail: hit.kind === 'account' ? usd(hit.detail) : hit.detail,
    path: pathOf(hit),
  }))
  const known = [...pages, ...actions].filter(({ title }) => title.toLowerCase().includes(small))
  return { goals: [...hits, ...known], isAsking: found.isFetching }
}

/**
 * Command palette (Ctrl-K): goes to any page, account, key, call, payment, setting, model or vendor by
 * typing.
 */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('palette')
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(withoutSecret(typed), typingMs)
  const [at, setAt] = useState(0)
  const { goals, isAsking } = useGoals(text)
  const chosen = goals[Math.min(at, goals.length - 1)]
  /** Whoever types on and presses Enter at once means what is not there yet. */
  const [isTaking, setTaking] = useState(false)
  const isSettled = withoutSecret(typed) === text && !isAsking
  const take = (goal: Goal | undefined) => {
    if (goal === undefined) return
    onClose()
    go(goal.path)
  }
  useEffect(() => {
    if (!isTaking || !isSettled) return
    setTaking(false)
    take(chosen)
  })
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && goals.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, goals.length - 1) + step + goals.length) % goals.length)
    } else if (event.key === 'Enter') setTaking(true)
  }
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="8vh">
      <Modal.Overlay />
      <Modal.Content radius="lg" aria-label={t('title')}>
        <Modal.Body p={0}>
          <TextInput
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setAt(0)
              setTaking(false)
            }}
            onKeyDown={press}
            placeholder={t('hint')}
            aria-label={t('title')}
            role="combobox"
            aria-expanded
            aria-controls="palette-goals"
            {...(chosen === undefined ? {} : { 'aria-activedescendant': idOf(chosen) })}
            leftSection={<IconSearch size={18} />}
            rightSection={isAsking ? <Loader size={16} /> : null}
            variant="unstyled"
            size="lg"
            px="md"
            data-autofocus
          />
          <ul className="palette" id="palette-goals" role="listbox" aria-label={t('title')}>
            {goals.map((goal) => (
              <GoalRow key={goal.key} goal={goal} isChosen={goal === chosen} onTake={take} />
            ))}
          </ul>
          {goals.length === 0 && !isAsking && (
            <Text size="sm" className="soft" p="md" role="status">
              {t('none')}
            </Text>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const idOf = ({ key }: Goal): string => `goal-${key.replaceAll(/\W/g, '-')}`

interface GoalRowProps {
  readonly goal: Goal
  readonly isChosen: boolean
  readonly onTake: (goal: Goal) => void
}

function GoalRow({ goal, isChosen, onTake }: GoalRowProps) {
  const t = useTranslations('palette')
  return (
    // The field above has the keyboard: arrows and Enter.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <li
      id={idOf(goal)}
      role="option"
      aria-selected={isChosen}
      className="goal"
      onClick={() => onTake(goal)}
    >
      <Text size="sm" fw={550} truncate="end">
        <bdi>{goal.title}</bdi>
      </Text>
      <Text size="xs" className="soft" truncate="end">
        <bdi>{goal.detail}</bdi>
      </Text>
      <Text size="xs" className="soft">
        {t(goal.kind)}
      </Text>
    </li>
  )
}
