import { escapeName } from '@gemini-mcp/core/internal';
import type { QuestionField, QuestionValue } from '../questions/question.ts';
import { maxLabelCharacters } from '../questions/text-limits.ts';
import { isJsonObject, type JsonObject } from '../request-params.ts';

type Content = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A form of a server as a question has it. */
export type AnswerForm = {
  readonly fields: readonly QuestionField[];
  /** The values by the names that the server gave them. Null where they mean no. */
  readonly contentOf: (values: Readonly<Record<string, QuestionValue>>) => Content | null;
};

type ReadField = {
  readonly fields: readonly QuestionField[];
  /** Undefined where the user left it out. */
  readonly read: (values: Readonly<Record<string, QuestionValue>>) => Content[string] | undefined;
};

const formats = ['email', 'uri', 'date', 'date-time'] as const;

const maxFields = 20;
const maxChoices = 50;

/** Null for a form that has not the shape of MCP's (fields of text, numbers, yes or no, and choices), or has words that cannot be shown whole. */
export function readForm(schema: JsonObject): AnswerForm | null {
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

/** People cannot agree to what they do not see. */
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

/** No client's form has a choice of several: each is a question of yes or no. */
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

/** Null for a property that has none: by `enum`, with or without `enumNames`, or by titles of constants. */
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

/** Longer than a label may be if the text is. */
function shownLabel(text: string): string {
  return escapeName(text.slice(0, maxLabelCharacters + 1));
}
