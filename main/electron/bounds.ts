export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a window was when it was last seen. */
export interface Placement {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

export const SMALLEST = { width: 640, height: 480 };
const USUAL = { width: 1280, height: 820 };
/** How far a window stands from the one it was opened beside. */
const STEP = 28;
/** So much of a window must be on a screen to get hold of it. */
const GRIP = 64;

/** Within the screen where it was; a screen that is gone is replaced by `primary`. */
export function place(last: Placement | undefined, screens: readonly Rectangle[], primary: Rectangle): Placement {
  if (!last) return { bounds: centred(USUAL, primary), maximized: false };
  const { bounds, maximized } = last;
  const screen = screens.find((each) => overlap(each, bounds));
  return { bounds: screen ? within(bounds, screen) : centred(bounds, primary), maximized };
}

/** Beside a window that is open, so that both can be seen. */
export function beside({ bounds }: Placement): Placement {
  return { bounds: { ...bounds, x: bounds.x + STEP, y: bounds.y + STEP }, maximized: false };
}

/** Undefined: not what we wrote. */
export function toPlacement(value: unknown): Placement | undefined {
  if (typeof value !== 'object' || value === null || !('bounds' in value) || !('maximized' in value)) return undefined;
  const { bounds, maximized } = value;
  return isRectangle(bounds) && typeof maximized === 'boolean' ? { bounds, maximized } : undefined;
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(Reflect.get(value, name)));
}

function overlap(screen: Rectangle, { x, y, width }: Rectangle): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  // By its title bar a window is moved, so that must be there.
  return across >= GRIP && y >= screen.y && y + GRIP <= screen.y + screen.height;
}

function within({ x, y, width, height }: Rectangle, screen: Rectangle): Rectangle {
  const size = sizeOn({ width, height }, screen);
  return {
    x: clamp(x, screen.x, screen.x + screen.width - size.width),
    y: clamp(y, screen.y, screen.y + screen.height - size.height),
    ...size,
  };
}

function centred(size: Pick<Rectangle, 'width' | 'height'>, screen: Rectangle): Rectangle {
  const { width, height } = sizeOn(size, screen);
  return {
    x: Math.round(screen.x + (screen.width - width) / 2),
    y: Math.round(screen.y + (screen.height - height) / 2),
    width,
    height,
  };
}

function sizeOn({ width, height }: Pick<Rectangle, 'width' | 'height'>, screen: Rectangle) {
  return {
    width: clamp(width, SMALLEST.width, Math.max(SMALLEST.width, screen.width)),
    height: clamp(height, SMALLEST.height, Math.max(SMALLEST.height, screen.height)),
  };
}

function clamp(value: number, from: number, to: number): number {
  return Math.max(from, Math.min(value, to));
}
