import { escapeName, type ServerAnswer, type ServerQuestion, type ServerQuestions } from '@gemini-mcp/core/internal';
import { isJsonObject } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import { maxLabelCharacters } from './call-questions.ts';
import type { Ask, QuestionField, QuestionOutcome, QuestionValue } from './question.ts';

/** Questions of one call, passed on to the user of its client. */
type PassedQuestions = ServerQuestions & {
  /** Why a question was not shown to the user, for the caller; null if all were shown. */
  readonly problem: string | null;
};

const cancelled: ServerAnswer = { action: 'cancel' };

/**
 * Passes a server's questions on through `ask`. Forms become fields that clients know; a question that no client can show is
 * cancelled. An address is shown, and only the user opens it.
 */
export function passOnQuestions(ask: Ask): PassedQuestions {
  let asked = 0;
  let problem: string | null = null;
  const put = async (question: ServerQuestion, form: AnswerForm, signal: AbortSignal): Promise<ServerAnswer> => {
    asked += 1;
    const outcome = await ask({ handle: `server-${asked}`, message: question.message, fields: form.fields }, signal);
    if (outcome.type === 'cannot-ask') {
      problem = outcome.text;
    }
    return answerOf(outcome, form);
  };
  return {
    get problem() {
      return problem;
    },
    ask: async (question, signal) => {
      const shown = question.type === 'url' ? withAddress(question) : question;
      const form = question.type === 'url' ? opened : readForm(question.schema);
      if (shown === null || form === null || shown.message.length > maxMessageCharacters) {
        problem = 'It asked for something that no client can show.';
        return cancelled;
      }
      return await put(shown, form, signal);
    },
  };
}

/** A longer question would be cut, and people cannot agree to text that they do not see. */
const maxMessageCharacters = 2_000;

/** Null if the address has invisible characters. */
function withAddress(question: Extract<ServerQuestion, { type: 'url' }>): ServerQuestion | null {
  const asking = 'Open this address yourself, if you trust the server with it:';
  return /^[!-~]+$/.test(question.url)
    ? { ...question, message: `${question.message}\n\n${asking}\n${question.url}` }
    : null;
}

const opened: AnswerForm = {
  fields: [{ name: 'opened', label: 'I have opened the address', type: 'yes-no' }],
  contentOf: (values) => (values['opened'] === true ? {} : null),
};

function answerOf(outcome: QuestionOutcome, form: AnswerForm): ServerAnswer {
  switch (outcome.type) {
    case 'answered': {
      const content = form.contentOf(outcome.values);
      return content === null ? { action: 'decline' } : { action: 'accept', content };
    }
    case 'declined':
      return { action: 'decline' };
    default:
      return cancelled;
  }
}

type Content = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A server's form as the fields of a question. */
type AnswerForm = {
  readonly fields: readonly QuestionField[];
  /** The values under the server's names. Null if they mean no. */
  readonly contentOf: (values: Readonly<Record<string, QuestionValue>>) => Content | null;
};

type ReadField = {
  readonly fields: readonly QuestionField[];
  /** Undefined if the user left it out. */
  readonly read: (values: Readonly<Record<string, QuestionValue>>) => Content[string] | undefined;
};

const formats = ['email', 'uri', 'date', 'date-time'] as const;

const maxFields = 20;
const maxChoices = 50;

/** Null if the form is not an MCP form (fields of text, numbers, yes or no, and choices) or has text that cannot be shown whole. */
function readForm(schema: JsonObject): AnswerForm | null {
  const { properties, required } = schema;
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const requiredNames = new Set<unknown>(Array.isArray(required) ? required : []);
  const all = entries.slice(0, maxFields + 1).map(([name, property], index) => ({
    name,
    field: isJsonObject(property)
      ? readField({ name: `field${index + 1}`, title: name, property, isOptional: !requiredNames.has(name) })
      : null,
  }));
  const known = all.flatMap(({ name, field }) => (field === null ? [] : [{ name, field }]));
  const fields = known.flatMap(({ field }) => field.fields);
  const isShowable = fields.length <= maxFields && fields.every(isShownWhole);
  if (known.length < all.length || fields.length === 0 || !isShowable) {
    return null;
  }
  const contentOf: AnswerForm['contentOf'] = (values) =>
    Object.fromEntries(
      known
        .map(({ name, field }) => [name, field.read(values)] as const)
        .filter((entry): entry is readonly [string, Content[string]] => entry[1] !== undefined),
    );
  return { fields, contentOf };
}

/** People cannot agree to text that they do not see. */
function isShownWhole(field: QuestionField): boolean {
  const choices = field.type === 'choice' ? field.choices : [];
  return [field, ...choices].every(({ label }) => label.length <= maxLabelCharacters);
}

type FieldToRead = {
  readonly name: string;
  readonly title: string;
  readonly property: JsonObject;
  readonly isOptional: boolean;
};

function readField({ name, title, property, isOptional }: FieldToRead): ReadField | null {
  const label = labelOf(title, property);
  const common = { name, label, isOptional };
  const choices = readChoices(property);
  if (choices !== null) {
    return choices.length === 0 || choices.length > maxChoices ? null : choiceField(common, choices);
  }
  const readOne: ReadField['read'] = (values) => values[name];
  switch (property['type']) {
    case 'string':
      return { fields: [textField(common, property)], read: readOne };
    case 'number':
    case 'integer': {
      const { minimum, maximum, type } = property;
      const bounds = {
        ...(typeof minimum === 'number' && { min: minimum }),
        ...(typeof maximum === 'number' && { max: maximum }),
      };
      return { fields: [{ ...common, type: 'number', isInteger: type === 'integer', ...bounds }], read: readOne };
    }
    case 'boolean':
      return { fields: [{ ...common, type: 'yes-no' }], read: readOne };
    case 'array':
      return severalOf(common, property['items']);
    default:
      return null;
  }
}

type FieldNames = { readonly name: string; readonly label: string; readonly isOptional: boolean };

function textField(common: FieldNames, { maxLength, format: given }: JsonObject): QuestionField {
  const maxCharacters = typeof maxLength === 'number' && maxLength > 0 ? maxLength : 2_000;
  const format = formats.find((one) => one === given);
  return { ...common, type: 'text', maxCharacters, ...(format !== undefined && { format }) };
}

type Choice = { readonly value: string; readonly label: string };

function choiceField(common: FieldNames, choices: readonly Choice[]): ReadField {
  const named = choices.map(({ label }, index) => ({ name: `choice${index + 1}`, label }));
  return {
    fields: [{ ...common, type: 'choice', choices: named }],
    read: (values) => choices[named.findIndex(({ name }) => name === values[common.name])]?.value,
  };
}

/** No client's form has a multiple choice, so each choice becomes a yes-or-no question. */
function severalOf({ name, label, isOptional }: FieldNames, items: unknown): ReadField | null {
  const choices = isJsonObject(items) ? readChoices(items) : null;
  if (choices === null || choices.length === 0 || choices.length > maxFields) {
    return null;
  }
  const named = choices.map((choice, index) => ({ ...choice, field: `${name}_${index + 1}` }));
  return {
    fields: named.map((choice) => ({
      name: choice.field,
      label: `${label}: ${choice.label}`,
      type: 'yes-no',
      isOptional: true,
    })),
    read: (values) =>
      isOptional && named.every(({ field }) => values[field] === undefined)
        ? undefined
        : named.filter(({ field }) => values[field] === true).map(({ value }) => value),
  };
}

/** Reads `enum`, with or without `enumNames`, or titled constants. Null if the property has neither. */
function readChoices({ enum: values, enumNames, oneOf, anyOf }: JsonObject): readonly Choice[] | null {
  if (Array.isArray(values)) {
    const labels: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.flatMap((value: unknown, index) => choiceOf(value, labels[index]));
  }
  const constants: unknown = oneOf ?? anyOf;
  return Array.isArray(constants)
    ? constants.flatMap((each: unknown) => (isJsonObject(each) ? choiceOf(each['const'], each['title']) : []))
    : null;
}

function choiceOf(value: unknown, label: unknown): readonly Choice[] {
  return typeof value === 'string' ? [{ value, label: shownLabel(typeof label === 'string' ? label : value) }] : [];
}

function labelOf(name: string, { title, description }: JsonObject): string {
  const words = [typeof title === 'string' ? title : name, description];
  return words
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => shownLabel(String(text)))
    .join(': ');
}

/** Keeps an overlong label overlong, so that the check refuses it instead of cutting it. */
function shownLabel(text: string): string {
  return escapeName(text.slice(0, maxLabelCharacters + 1));
}
