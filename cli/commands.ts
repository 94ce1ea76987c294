import { addAcceptCommand } from "./accept/command";
import { addDoctorCommand } from "./doctor/command";
import { addEmulatorCommand } from "./emulator/command";
import { addImportCommand } from "./import/command";
import { addListCommand } from "./list/command";
import { addPreviewCommand } from "./preview/command";

/** Every command of the program, in the order in which its help shows them. */
export const commands = [
  addImportCommand,
  addListCommand,
  addPreviewCommand,
  addAcceptCommand,
  addDoctorCommand,
  addEmulatorCommand,
];
