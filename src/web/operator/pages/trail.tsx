import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { modelDeskPath } from '../prices/model-detail'
import { Code } from '../../parts/panel'
import { useTyped } from '../../parts/form'

type Line = Result<'GET /trail'>['data'][number]

const maxOnPage = 50
const typingMs = 300

/** Page of the audit trail, with its filters. */
export function Trail() {
  const t = useTranslations('trail')
  const asked = new URLSearchParams(location.search)
  const { typed, field } = useTyped({
    subject: asked.get('subject') ?? '',
    who: asked.get('who') ?? '',
  })
  const [query] = useDebouncedValue(typed, typingMs)
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Group>
        <TextInput label={t('subject')} placeholder="key:7" dir="ltr" {...field('subject')} />
        <TextInput label={t('who')} placeholder="operator:sara" dir="ltr" {...field('who')} />
      </Group>
      <TrailLines query={query} />
    </Stack>
  )
}

interface TrailLinesProps {
  readonly query: { readonly subject?: string; readonly who?: string }
}

/** Lines of the audit trail, newest first. */
export function TrailLines({ query }: TrailLinesProps) {
  const t = useTranslations('trail')
  return (
    <PagedList<Line, number>
      queryKey={['op', 'trail', query]}
      read={(before) =>
        operate('GET /trail', {
          query: { ...query, max: maxOnPage, ...(before === undefined ? {} : { before }) },
        })
      }
      keyOf={({ id }) => id}
      row={(line) => <TrailRow line={line} />}
      empty={<Empty icon={IconHistory} title={t('none')} lead={t('noneLead')} />}
    />
  )
}

/** Where a subject is shown; null for what has no page. */
function pageOf(subject: string): string | null {
  const [kind, name = ''] = subject.split(/:(.*)/s)
  if (kind === 'account') return `/operator/accounts/${name}`
  if (kind === 'model') return modelDeskPath(name)
  if (kind === 'rule') return '/operator/price-rules'
  if (kind === 'proposal') return '/operator/proposals'
  return kind === 'setting' ? '/operator/settings' : null
}

function TrailRow({ line }: { readonly line: Line }) {
  const t = useTranslations('trail')
  const { moment } = useNumbers()
  const may = useMay()
  const [isAsking, setRequesting] = useState(false)
  const page = pageOf(line.subject)
  const undo = async () => {
    await operate('POST /trail/{id}/undo', { params: { id: line.id } })
    await queries.invalidateQueries({ queryKey: ['op'] })
  }
  return (
    <div className="list-link still">
      <div className="trail-row">
        <div>
          <Text size="sm" className="number">
            {moment(Date.parse(line.at))}
          </Text>
          <Code isSoft>{line.who}</Code>
        </div>
        <div>
          <Code>{line.what}</Code>
          <br />
          {page === null ? (
            <Code isSoft>{line.subject}</Code>
          ) : (
            <Anchor component={Link} href={page} className="code" dir="ltr" lang="en">
              {line.subject}
            </Anchor>
          )}
        </div>
        <ChangedFields before={line.before} after={line.after} />
        {line.undoable && may('owner') ? (
          <Button size="xs" variant="default" onClick={() => setRequesting(true)}>
            {t('undo')}
          </Button>
        ) : (
          <span />
        )}
      </div>
      {isAsking && (
        <Confirm
          title={t('undoTitle')}
          lead={t('undoLead')}
          action={t('undo')}
          work={undo}
          onClose={() => setRequesting(false)}
        />
      )}
    </div>
  )
}

type Fields = Readonly<Record<string, unknown>> | null

const maxShown = 120

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}

interface ChangedFieldsProps {
  readonly before: Fields
  readonly after: Fields
}

/** Fields that a change touched, each as it was and as it is; without those that were and are nothing. */
function ChangedFields({ before, after }: ChangedFieldsProps) {
  const t = useTranslations('trail')
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => (before?.[name] ?? after?.[name] ?? null) !== null,
  )
  return (
    <dl className="changed">
      {names.map((name) => (
        <div key={name}>
          <dt className="code soft" dir="ltr" lang="en">
            {name}
          </dt>
          <dd dir="ltr">
            {before !== null && (
              <>
                <Text span size="sm" className="was" aria-label={t('was')}>
                  {shown(before[name])}
                </Text>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <Text span size="sm" aria-label={t('is')}>
              {shown(after?.[name])}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}
