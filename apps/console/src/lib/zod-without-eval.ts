import { z } from "zod";

// Zod compiles validators with `new Function` unless told not to, which the content security policy refuses.
z.config({ jitless: true });
