import { Alert, Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { queries } from '../../queries'
import { useMay } from '../me'
import { ConnectionForm, type ConnectionKind } from './connection-form'
import { Panel, Soft } from '../../parts/panel'
import { Form } from '../../parts/form'

/** A service outside, as it is kept. */
interface KeptConnection {
  readonly name: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
  readonly has_secret: boolean
}

/** Outcome of a trial of an outside service. */
export interface TrialOutcome {
  readonly text: string
  /** Where it can be looked at. */
  readonly link?: string
}

interface ConnectionListProps {
  /** Of its heading, and what its texts begin with. */
  readonly name: 'sms' | 'gateways'
  readonly kept: readonly KeptConnection[]
  readonly kinds: readonly ConnectionKind[]
  readonly save: (connection: {
    readonly name: string
    readonly kind: string
    readonly options: Readonly<Record<string, string>>
    readonly secret?: string
  }) => Promise<unknown>
  readonly remove: (name: string) => Promise<unknown>
  /** Whether a trial needs a place to go to, such as a phone. */
  readonly trialField?: string
  readonly test: (name: string, to: string) => Promise<TrialOutcome>
}

/** Refetches outside services: one was changed. */
export const readConnectionsAgain = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['op'] })

/** List of outside services of one kind, each with its trial. */
export function ConnectionList(props: ConnectionListProps) {
  const { name, kept, kinds, save } = props
  const t = useTranslations('connections')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  return (
    <ConnectionCard id={name} lead={t(`${name}Lead`)} title={t(name)}>
      {kept.length === 0 ? (
        <Soft>{t(`${name}None`)}</Soft>
      ) : (
        <ul className="rows">
          {kept.map((connection) => (
            <li key={connection.name}>
              <ConnectionRow {...props} connection={connection} />
            </li>
          ))}
        </ul>
      )}
      {may('owner') && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setAdding(true)}>
          {t(`${name}Add`)}
        </Button>
      )}
      {isAdding && (
        <ConnectionForm
          title={t(`${name}Add`)}
          kinds={kinds}
          kept={null}
          save={save}
          onClose={() => setAdding(false)}
        />
      )}
    </ConnectionCard>
  )
}

interface ConnectionCardProps {
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}

/** Card around a kind of outside service, with its title and lead. */
export const ConnectionCard = ({ id, title, lead, children }: ConnectionCardProps) => (
  <Panel id={id} title={title} lead={lead}>
    {children}
  </Panel>
)

function ConnectionRow({
  connection,
  kinds,
  save,
  remove,
  test,
  trialField,
}: ConnectionListProps & { readonly connection: KeptConnection }) {
  const t = useTranslations('connections')
  const may = useMay()
  const [asking, setRequesting] = useState<'set' | 'remove' | 'test' | null>(null)
  const close = () => setRequesting(null)
  const { name, kind, options, has_secret: hasSecret } = connection
  const trial = useMutation({ mutationFn: (to: string) => test(name, to), onSuccess: close })
  return (
    <>
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={600} dir="ltr">
              {name}
            </Text>
            <Badge variant="light" color="gray" tt="none" dir="ltr">
              {kind}
            </Badge>
            {hasSecret && <span className="soft">•••</span>}
          </Group>
          <Text size="xs" className="code soft" dir="ltr" lang="en" ta="start">
            {Object.entries(options)
              .map(([option, value]) => `${option}=${value}`)
              .join(' ')}
          </Text>
        </div>
        {may('owner') && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="light"
              loading={trial.isPending}
              onClick={() => (trialField === undefined ? trial.mutate('') : setRequesting('test'))}
            >
              {t('test')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setRequesting('set')}>
              {t('change')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setRequesting('remove')}>
              {t('remove')}
            </Button>
          </Group>
        )}
      </Group>
      <TrialResult trial={trial} />
      {asking === 'set' && (
        <ConnectionForm title={name} kinds={kinds} kept={connection} save={save} onClose={close} />
      )}
      {asking === 'remove' && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead', { name })}
          action={t('remove')}
          isDangerous
          work={async () => {
            await remove(name)
            await readConnectionsAgain()
          }}
          onClose={close}
        />
      )}
      {asking === 'test' && trialField !== undefined && (
        <TrialDialog field={trialField} trial={trial} onClose={close} />
      )}
    </>
  )
}

type Trial = ReturnType<typeof useMutation<TrialOutcome, Error, string>>

/** Outcome of a trial, in words. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  const t = useTranslations('connections')
  return (
    <>
      <Failed error={trial.error} />
      {trial.data !== undefined && (
        <Alert mt="xs" role="status">
          <Group justify="space-between">
            <Text size="sm">{trial.data.text}</Text>
            {trial.data.link !== undefined && (
              <Anchor href={trial.data.link} target="_blank" rel="noreferrer" size="sm">
                {t('look')}
              </Anchor>
            )}
          </Group>
        </Alert>
      )}
    </>
  )
}

interface TrialDialogProps {
  readonly field: string
  readonly trial: Trial
  readonly onClose: () => void
}

/** Dialog for the recipient of a trial. */
export function TrialDialog({ field, trial, onClose }: TrialDialogProps) {
  const t = useTranslations('connections')
  const [to, setTo] = useState('')
  return (
    <Dialog opened onClose={onClose} title={t('test')}>
      <Form onSubmit={() => trial.mutate(to)}>
        <Stack>
          <TextInput
            label={field}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            dir="ltr"
            required
            withAsterisk={false}
            data-autofocus
          />
          <Failed error={trial.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={trial.isPending} disabled={to.trim() === ''}>
              {t('send')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
