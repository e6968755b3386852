import { Badge, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { hasPasskeys } from '../../passkeys'
import { queries } from '../../queries'
import { Confirm } from '../confirm'
import { Dialog } from '../dialog'
import { Failed } from '../failed'
import { Panel, Soft } from '../panel'
import { Form } from '../form'
import { deviceKind } from '../../../domain/device'

/** A passkey as its owner sees it. */
interface ShownPasskey {
  readonly id: string
  readonly name: string
  /** Milliseconds since 1970, as is the last use. */
  readonly created: number
  readonly last_used: number | null
  readonly backed_up: boolean
}

/** Store of passkeys: those of a customer, or of an operator. */
export interface PasskeyBook {
  readonly queryKey: readonly string[]
  /** What else is to be read again once one is gone: sessions end with it. */
  readonly sessionsKey: readonly string[]
  list(): Promise<readonly ShownPasskey[]>
  make(name: string): Promise<unknown>
  rename(id: string, name: string): Promise<unknown>
  remove(id: string): Promise<unknown>
}

interface PasskeyListProps {
  readonly book: PasskeyBook
  readonly lead: string
  /** Whether the address of this page can have passkeys; undefined until that is known. */
  readonly works: boolean | undefined
  /** What a new one asks for besides its name. */
  readonly asked?: ReactNode
}

/** Passkeys of whoever is signed in. */
export function PasskeyList({ book, lead, works, asked }: PasskeyListProps) {
  const t = useTranslations('passkeys')
  const [isAdding, setAdding] = useState(false)
  const all = useQuery({ queryKey: book.queryKey, queryFn: book.list })
  return (
    <Panel
      id="passkeys"
      title={t('title')}
      lead={lead}
      actions={
        works === true &&
        hasPasskeys() && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setAdding(true)}
          >
            {t('add')}
          </Button>
        )
      }
    >
      <Failed error={all.error} />
      {works !== undefined && !(works && hasPasskeys()) && (
        <Text size="sm" className="soft" mt="sm">
          {t(works ? 'unsupported' : 'unavailable')}
        </Text>
      )}
      {all.data === undefined ? (
        !all.isError && <Skeleton h={56} mt="md" />
      ) : all.data.length === 0 ? (
        works === true && (
          <Text size="sm" className="soft" mt="md">
            {t('none')}
          </Text>
        )
      ) : (
        <ul className="rows">
          {all.data.map((passkey) => (
            <PasskeyRow key={passkey.id} book={book} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <NewPasskey book={book} asked={asked} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

const readAgain = ({ queryKey }: PasskeyBook) => queries.invalidateQueries({ queryKey })

interface PasskeyRowProps {
  readonly book: PasskeyBook
  readonly passkey: ShownPasskey
}

function PasskeyRow({ book, passkey }: PasskeyRowProps) {
  const t = useTranslations('passkeys')
  const { moment } = useNumbers()
  const [opened, setOpened] = useState<'rename' | 'remove' | null>(null)
  const { id, name, created, last_used: lastUsed } = passkey
  const close = () => setOpened(null)
  return (
    <li>
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>
            </Text>
            {passkey.backed_up && (
              <Badge variant="default" tt="none" size="sm">
                {t('synced')}
              </Badge>
            )}
          </Group>
          <Soft>
            {lastUsed === null ? t('unused') : t('used', { when: moment(lastUsed) })} ·{' '}
            {t('made', { when: moment(created) })}
          </Soft>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            aria-label={t('renameOf', { name })}
            onClick={() => setOpened('rename')}
          >
            {t('rename')}
          </Button>
          <Button
            variant="light"
            color="red"
            size="xs"
            aria-label={t('removeOf', { name })}
            onClick={() => setOpened('remove')}
          >
            {t('remove')}
          </Button>
        </Group>
      </Group>
      {opened === 'rename' && (
        <NameDialog
          title={t('rename')}
          initial={name}
          submit={t('save')}
          work={(typed) => book.rename(id, typed)}
          book={book}
          onClose={close}
        />
      )}
      {opened === 'remove' && (
        <Confirm
          title={t('removeTitle')}
          lead={t('removeLead', { name })}
          action={t('remove')}
          isDangerous
          work={async () => {
            await book.remove(id)
            await queries.invalidateQueries({ queryKey: book.sessionsKey })
            await readAgain(book)
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

interface NewPasskeyProps {
  readonly book: PasskeyBook
  readonly asked: ReactNode
  readonly onClose: () => void
}

function NewPasskey({ book, asked, onClose }: NewPasskeyProps) {
  const t = useTranslations('passkeys')
  return (
    <NameDialog
      title={t('add')}
      lead={t('addLead')}
      initial={deviceKind(navigator.userAgent)}
      submit={t('create')}
      work={book.make}
      book={book}
      asked={asked}
      onClose={onClose}
    />
  )
}

interface NameDialogProps {
  readonly title: string
  readonly lead?: string
  readonly initial: string
  readonly submit: string
  readonly work: (name: string) => Promise<unknown>
  readonly book: PasskeyBook
  readonly asked?: ReactNode
  readonly onClose: () => void
}

function NameDialog({ title, lead, initial, submit, work, book, asked, onClose }: NameDialogProps) {
  const t = useTranslations('passkeys')
  const [name, setName] = useState(initial)
  const naming = useMutation({
    mutationFn: () => work(name.trim()),
    async onSuccess() {
      await readAgain(book)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Form onSubmit={() => naming.mutate()}>
        <Stack>
          {lead !== undefined && <Text size="sm">{lead}</Text>}
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            value={name}
            dir="auto"
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={60}
            autoComplete="off"
            data-autofocus
          />
          {asked}
          <Failed error={naming.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={naming.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
