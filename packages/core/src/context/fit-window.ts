import type { LeftOut } from '../failure/left-out.ts';
import type { ContextBundle, ContextDocument } from '../ports/context-resolver.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { type Escape, formatDocument } from './context-format.ts';
import { formatLineRange } from './format-line-range.ts';

/** An amount of text, in each measure that may be limited. */
export type Extent = {
  /** In UTF-8. */
  readonly bytes: number;
  /** UTF-16 code units. */
  readonly characters: number;
};

/** The extent of a text. */
export function measure(text: string): Extent {
  return { bytes: utf8Length(text), characters: text.length };
}

/**
 * Leaves out the documents that do not fit, whole and in order; smaller ones after them may still fit. A document's overhead is the tags with
 * `boundary`. Media stay: their bytes are not part of the text, and their announcements are counted elsewhere.
 */
export function fitWindow(bundle: ContextBundle, room: Extent, boundary: string, toAttribute?: Escape): ContextBundle {
  let left = room;
  const documents: ContextDocument[] = [];
  const leftOut: LeftOut[] = [...bundle.leftOut];
  for (const document of bundle.documents) {
    const needed = extentOf(document, boundary, toAttribute);
    if (exceeds(needed, left)) {
      leftOut.push({ path: nameOf(document), reason: 'over-window', origin: document.origin });
    } else {
      documents.push(document);
      left = subtract(left, needed);
    }
  }
  return { ...bundle, documents, leftOut };
}

/** As a caller would write it. */
function nameOf({ path, lines }: ContextDocument): string {
  return lines === undefined ? path : `${path}:${formatLineRange(lines)}`;
}

function extentOf(document: ContextDocument, boundary: string, toAttribute?: Escape): Extent {
  const tags = measure(`${formatDocument({ ...document, text: '' }, boundary, toAttribute)}\n\n`);
  return {
    bytes: document.sizeBytes + tags.bytes,
    characters: document.text.length + tags.characters,
  };
}

/** The rest of a room; negative if the amount was larger. */
export function subtract(from: Extent, amount: Extent): Extent {
  return {
    bytes: from.bytes - amount.bytes,
    characters: from.characters - amount.characters,
  };
}

/** Whether an amount exceeds the room in any measure. */
export function exceeds(amount: Extent, room: Extent): boolean {
  return amount.bytes > room.bytes || amount.characters > room.characters;
}
