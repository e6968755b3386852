import { describe, expect, test } from 'bun:test'
import {
  chatCallMembers,
  chatMessageMembers,
  chatPartMembers,
  chatToolMembers,
} from '../../src/gateway/formats/chat/content-members'
import { chatMembers } from '../../src/gateway/formats/chat/members'
import { completionsMembers } from '../../src/gateway/formats/completions/members'
import * as messages from '../../src/gateway/formats/messages/content-members'
import { messagesMembers } from '../../src/gateway/formats/messages/members'
import {
  clientMember,
  ruleOf,
  unsaidMember,
  type RequestMembers,
} from '../../src/gateway/formats/request-members'
import * as responses from '../../src/gateway/formats/responses/content-members'
import { responsesMembers } from '../../src/gateway/formats/responses/members'
import type { Fields } from '../../src/gateway/json/fields'
import { membersOf } from './official-members'

const chatFile = 'openai/resources/chat/completions/completions'
const responsesFile = 'openai/resources/responses/responses'
const messagesFile = '@anthropic-ai/sdk/resources/messages/messages'
const betaFile = '@anthropic-ai/sdk/resources/beta/messages/messages'

/** Each table with the published types whose members it must list. */
const listed: readonly (readonly [string, RequestMembers | undefined, string])[] = [
  ['ChatCompletionCreateParamsBase', chatMembers, chatFile],
  ['ChatCompletionAssistantMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionDeveloperMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionFunctionMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionSystemMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionToolMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionUserMessageParam', chatMessageMembers, chatFile],
  ['ChatCompletionFunctionTool', chatToolMembers, chatFile],
  ['FunctionDefinition', chatToolMembers['function']?.members, 'openai/resources/shared'],
  ['ChatCompletionMessageFunctionToolCall', chatCallMembers, chatFile],
  ['ChatCompletionMessageCustomToolCall', chatCallMembers, chatFile],
  ['ChatCompletionContentPartText', chatPartMembers['text'], chatFile],
  ['ChatCompletionContentPartRefusal', chatPartMembers['refusal'], chatFile],
  ['ChatCompletionContentPartImage', chatPartMembers['image_url'], chatFile],
  ['ChatCompletionContentPartInputAudio', chatPartMembers['input_audio'], chatFile],
  ['File', chatPartMembers['file'], chatFile],
  ['CompletionCreateParamsBase', completionsMembers, 'openai/resources/completions'],
  ['ResponseCreateParamsBase', responsesMembers, responsesFile],
  ['ResponseCreateParamsBase', responsesMembers, 'openai-6/resources/responses/responses'],
  ['CompletionCreateParamsBase', completionsMembers, 'openai-6/resources/completions'],
  [
    'ChatCompletionCreateParamsBase',
    chatMembers,
    'openai-6/resources/chat/completions/completions',
  ],
  ['ResponseTextConfig', responsesMembers['text']?.members, responsesFile],
  ['Reasoning', responsesMembers['reasoning']?.members, 'openai/resources/shared'],
  ['EasyInputMessage', responses.itemMembers['message'], responsesFile],
  ['ResponseOutputMessage', responses.itemMembers['message'], responsesFile],
  ['ResponseReasoningItem', responses.itemMembers['reasoning'], responsesFile],
  ['ResponseFunctionToolCall', responses.itemMembers['function_call'], responsesFile],
  [
    'ResponseFunctionToolCallOutputItem',
    responses.itemMembers['function_call_output'],
    responsesFile,
  ],
  ['ResponseCustomToolCall', responses.itemMembers['custom_tool_call'], responsesFile],
  ['ResponseCustomToolCallOutput', responses.itemMembers['custom_tool_call_output'], responsesFile],
  ['ResponseInputText', responses.itemPartMembers['input_text'], responsesFile],
  ['ResponseInputImage', responses.itemPartMembers['input_image'], responsesFile],
  ['ResponseInputFile', responses.itemPartMembers['input_file'], responsesFile],
  ['ResponseInputAudio', responses.itemPartMembers['input_audio'], responsesFile],
  ['ResponseOutputText', responses.itemPartMembers['output_text'], responsesFile],
  ['ResponseOutputRefusal', responses.itemPartMembers['refusal'], responsesFile],
  ['WebSearchTool', responses.searchMembers, responsesFile],
  ['WebSearchPreviewTool', responses.searchMembers, responsesFile],
  ['MessageCreateParamsBase', messagesMembers, messagesFile],
  ['MessageCreateParamsBase', messagesMembers, betaFile],
  ['MessageCreateParamsBase', messagesMembers, 'anthropic-0/resources/messages/messages'],
  ['MessageCreateParamsBase', messagesMembers, 'anthropic-0/resources/beta/messages/messages'],
  ['BetaOutputConfig', messagesMembers['output_config']?.members, betaFile],
  ['BetaThinkingConfigEnabled', messagesMembers['thinking']?.members, betaFile],
  ['BetaThinkingConfigAdaptive', messagesMembers['thinking']?.members, betaFile],
  ['BetaThinkingConfigDisabled', messagesMembers['thinking']?.members, betaFile],
  ['BetaToolChoiceAny', messagesMembers['tool_choice']?.members, betaFile],
  ['BetaToolChoiceTool', messagesMembers['tool_choice']?.members, betaFile],
  ['BetaUserMessageParam', messages.messageMembers, betaFile],
  ['BetaAssistantMessageParam', messages.messageMembers, betaFile],
  ['BetaSystemMessageParam', messages.messageMembers, betaFile],
  ['BetaTextBlockParam', messages.blockMembers['text'], betaFile],
  ['BetaImageBlockParam', messages.blockMembers['image'], betaFile],
  ['BetaRequestDocumentBlock', messages.blockMembers['document'], betaFile],
  ['BetaSearchResultBlockParam', messages.blockMembers['search_result'], betaFile],
  ['BetaToolUseBlockParam', messages.blockMembers['tool_use'], betaFile],
  ['BetaToolResultBlockParam', messages.blockMembers['tool_result'], betaFile],
  ['BetaThinkingBlockParam', messages.blockMembers['thinking'], betaFile],
  ['BetaWebSearchTool20260318', messages.searchMembers, betaFile],
]

describe('the tables of members', () => {
  test.each(listed)('have all of %s in the official SDK', (name, table, path) => {
    const members = membersOf(path, name)
    expect(members.length).toBeGreaterThan(0)
    expect(members.filter((each) => ruleOf(table ?? {}, each) === undefined)).toEqual([])
  })

  const clients = { messagesMembers, responsesMembers, completionsMembers }
  test.each(Object.entries(clients))('of %s translate to members of a chat body', (_, table) => {
    const named = (members: RequestMembers): readonly string[] =>
      Object.entries(members).flatMap(([own, { fate, as = own, members: inner }]) =>
        inner === undefined ? (fate === 'translated' ? [as] : []) : named(inner),
      )
    expect(named(table).filter((each) => ruleOf(chatMembers, each) === undefined)).toEqual([])
  })

  test.each(Object.entries({ chatMembers, ...clients }))(
    'of %s say why what is left out is left out',
    (_, table: RequestMembers) => {
      for (const [name, { fate, because }] of Object.entries(table))
        expect([name, because !== undefined]).toEqual([
          name,
          fate === 'omitted' || fate === 'own-hint',
        ])
    },
  )
})

describe('a member', () => {
  const look = (table: RequestMembers, request: Fields) => {
    const unlisted = new Set<string>()
    return [unsaidMember(table, request, unlisted), ...unlisted]
  }

  test('that is not listed is left out by its name, unless it is null', () => {
    expect(look(messagesMembers, { model: 'm', made_up: 1 })).toEqual([null, 'made_up'])
    expect(look(messagesMembers, { model: 'm', made_up: null })).toEqual([null])
    expect(look(messagesMembers, { toString: 1 })).toEqual([null, 'toString'])
    expect(look(messagesMembers, { output_config: { made_up: 1 } })).toEqual([
      null,
      'output_config.made_up',
    ])
  })

  test('inside another is named by its path', () => {
    const mode = (value: string) => look(responsesMembers, { reasoning: { mode: value } })
    expect(mode('pro')).toEqual(['reasoning.mode'])
    expect(mode('standard')).toEqual([null])
  })

  test('of a chat body has the client’s own name', () => {
    const format = { type: 'json_schema', schema: {} }
    const asked = { output_config: { effort: 'low', format }, stop_sequences: ['a'] }
    expect(clientMember(messagesMembers, 'reasoning_effort', asked)).toBe('output_config.effort')
    expect(clientMember(messagesMembers, 'response_format', asked)).toBe(
      'output_config.format.type',
    )
    expect(clientMember(messagesMembers, 'stop', asked)).toBe('stop_sequences')
    expect(clientMember(messagesMembers, 'stop', {})).toBeNull()
    expect(clientMember(messagesMembers, 'stop', { stop: ['a'] })).toBeNull()
  })
})
