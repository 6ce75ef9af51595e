/** An import that can't begin or go on for a reason that its user can mend; the message is for that person. */
export class ImportRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefused';
  }
}
