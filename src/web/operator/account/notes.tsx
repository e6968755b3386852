import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PagedList } from '../../parts/paged-list'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { Code } from '../../parts/panel'
import { Form } from '../../parts/form'

type Note = Result<'GET /accounts/{id}/notes'>['data'][number]

const maxOnPage = 50
const readNotesAgain = (account: number): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['op', 'notes', account] })

/** Operators' notes on an account. */
export function AccountNotes({ account }: { readonly account: number }) {
  const t = useTranslations('accountNotes')
  const may = useMay()
  return (
    <Stack gap="lg">
      {may('staff') && <NewNote account={account} />}
      <PagedList<Note, number>
        queryKey={['op', 'notes', account]}
        read={(before) =>
          operate('GET /accounts/{id}/notes', {
            params: { id: account },
            query: { max: maxOnPage, ...(before === undefined ? {} : { before }) },
          })
        }
        keyOf={({ id }) => id}
        row={(note) => <NoteRow account={account} note={note} />}
        empty={<Empty icon={IconNote} title={t('none')} lead={t('noneLead')} />}
      />
    </Stack>
  )
}

function NewNote({ account }: { readonly account: number }) {
  const t = useTranslations('accountNotes')
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () =>
      operate('POST /accounts/{id}/notes', { params: { id: account }, body: { text } }),
    async onSuccess() {
      setText('')
      await readNotesAgain(account)
    },
  })
  return (
    <Form onSubmit={() => add.mutate()}>
      <Stack gap="xs">
        <Textarea
          label={t('new')}
          description={t('newLead')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={2}
          dir="auto"
        />
        <Failed error={add.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function NoteRow({ account, note }: { readonly account: number; readonly note: Note }) {
  const t = useTranslations('accountNotes')
  const { moment } = useNumbers()
  const may = useMay()
  const [isAsking, setRequesting] = useState(false)
  const remove = async () => {
    await operate('DELETE /accounts/{id}/notes/{note}', { params: { id: account, note: note.id } })
    await readNotesAgain(account)
  }
  return (
    <div className="list-link still">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {note.text}
          </Text>
          <Text size="xs" className="soft number">
            <Code>{note.by}</Code> · {moment(Date.parse(note.created))}
          </Text>
        </div>
        {may('staff') && (
          <Button size="compact-sm" variant="default" onClick={() => setRequesting(true)}>
            {t('remove')}
          </Button>
        )}
      </Group>
      {isAsking && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead')}
          action={t('remove')}
          isDangerous
          work={remove}
          onClose={() => setRequesting(false)}
        />
      )}
    </div>
  )
}
