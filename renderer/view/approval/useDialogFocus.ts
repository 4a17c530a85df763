import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const STOPS = 'button, textarea, [tabindex="0"]';
const REACHED_BY_KEYS = ':is(button, [tabindex="0"]):focus-visible';

export type Root = RefObject<HTMLElement | null>;

export interface DialogFocus {
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Back to where the person was before they moved in. */
  readonly leave: () => void;
  /** From one thing inside to another, although the first may be gone already. */
  readonly moveTo: (element: HTMLElement | null) => void;
}

/**
 * The focus of a non-modal dialog (ui.md, Approval dialog): it never takes it; once a person has moved in, Tab goes round
 * inside until Esc, a decision, or a click elsewhere; then the focus is where it was.
 */
export function useDialogFocus(root: Root): DialogFocus {
  const cameFrom = useRef<HTMLElement>(null);
  const lastInside = useRef<Element>(null);
  const leave = (): void => {
    lastInside.current = null;
    returnTo(cameFrom.current);
  };
  const moveTo = (element: HTMLElement | null): void => {
    lastInside.current = element;
    element?.focus();
  };
  const onFocus = ({ target, relatedTarget }: FocusEvent<HTMLElement>): void => {
    const outside = relatedTarget instanceof HTMLElement && !root.current?.contains(relatedTarget);
    if (outside) cameFrom.current = relatedTarget;
    // A person who comes in by keys starts at the title, never on a button. A window that is focused again is no coming in.
    const entered = outside || (relatedTarget === null && target !== lastInside.current);
    if (entered && target.matches(REACHED_BY_KEYS)) headingIn(root.current)?.focus();
    lastInside.current = document.activeElement;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Tab' && root.current) goRound(event, root.current);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    leave();
  };
  return { onFocus, onKeyDown, leave, moveTo };
}

/** Before what is inside goes: whoever is in there is brought back first, so that no key press falls into nothing. */
export function useReturnBeforeEnd(root: Root, { leave }: DialogFocus): void {
  useLayoutEffect(() => {
    const dialog = root.current;
    return () => {
      if (dialog?.contains(document.activeElement)) leave();
    };
    // Only when it goes: `leave` reads nothing but refs.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** The title of a question that can be answered, which is where a person begins to read. */
export function headingIn(root: Element | null): HTMLElement | null {
  return root?.querySelector<HTMLElement>('[data-heading]') ?? null;
}

function returnTo(element: HTMLElement | null): void {
  if (element?.isConnected) element.focus();
  // It is gone, or cannot be focused any more.
  if (document.activeElement !== element) document.getElementById('composer')?.focus();
}

function goRound(event: KeyboardEvent, root: HTMLElement): void {
  const stops = Array.from(root.querySelectorAll<HTMLElement>(STOPS)).filter(
    (stop) => stop.getClientRects().length > 0,
  );
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = event.shiftKey ? stops.at(at <= 0 ? -1 : at - 1) : stops[(at + 1) % stops.length];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
