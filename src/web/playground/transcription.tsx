import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconFileMusic } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CopyLines } from '../parts/copy-once'
import { CallCost } from './call-cost'
import type { CallPlaceProps } from './chat'
import { CallForm, useOneCall } from './one-call'
import { OneModelChoice, useOneModel } from './one-model'
import { transcribe } from './own-calls'

const endings = '.mp3,.mp4,.mpeg,.mpga,.m4a,.wav,.webm,.ogg,.flac,audio/*'

const isLanguage = (text: string): boolean =>
  /^(?:[A-Za-z]{2,12}(?:[-_][A-Za-z0-9]{2,8}){0,3})?$/.test(text)

/** Playground of transcription: a recording, and its text. */
export function Transcription({ keyId, asked, onCost }: CallPlaceProps) {
  const t = useTranslations('hearing')
  const chosen = useOneModel(keyId, 'audio_stt', asked)
  const [file, setFile] = useState<File | null>(null)
  const [typed, setLanguage] = useState('')
  const language = typed.trim()
  const call = useOneCall(
    keyId,
    (own) => {
      if (file === null) throw new Error('no file')
      return transcribe({ model: chosen.id ?? '', file, language }, own)
    },
    onCost,
  )
  return (
    <Stack gap="md">
      <CallForm call={call} canSend={chosen.id !== null && file !== null && isLanguage(language)}>
        <OneModelChoice keyId={keyId} family="audio_stt" chosen={chosen} />
        <FileChoice file={file} onChoose={setFile} />
        <TextInput
          label={t('language')}
          description={t('languageHint')}
          value={typed}
          maxLength={40}
          onChange={(event) => setLanguage(event.currentTarget.value)}
          autoComplete="off"
          error={isLanguage(language) ? null : t('languageWrong')}
        />
      </CallForm>
      {call.made !== null && (
        <section className="card panel">
          <CopyLines text={call.made.text} label={t('text')} isProse />
          <CallCost {...call.made} />
        </section>
      )}
    </Stack>
  )
}

interface FileChoiceProps {
  readonly file: File | null
  readonly onChoose: (file: File | null) => void
}

/** The browser's own field cannot be read by night, nor in another language than its own. */
function FileChoice({ file, onChoose }: FileChoiceProps) {
  const t = useTranslations('hearing')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Text size="sm" fw={500} id="recording">
        {t('file')}
      </Text>
      <Text size="xs" className="soft" mb={6}>
        {t('fileHint')}
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconFileMusic size={16} />}
          onClick={() => input.current?.click()}
        >
          {t('choose')}
        </Button>
        <bdi className="request-id">{file?.name ?? ''}</bdi>
      </Group>
      <input
        ref={input}
        type="file"
        accept={endings}
        hidden
        aria-labelledby="recording"
        onChange={(event) => onChoose(event.currentTarget.files?.[0] ?? null)}
      />
    </div>
  )
}
