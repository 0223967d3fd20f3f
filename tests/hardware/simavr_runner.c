/* Runs a firmware image in simavr: its UART on a pseudo-terminal, its pins on standard input and output.
 *
 * Input:   pin D 2 1     drives a pin;   wait 120     reads on after so many milliseconds of the chip's own time;
 *          reset     resets the chip (EEPROM kept);   mark         prints "mark";   quit
 * Output:  tty /dev/pts/N at the start, then "B5 1" whenever the lamp (B5) or the tone's output (B2) changes. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avr_ioport.h"
#include "parts/uart_pty.h"
#include "sim_avr.h"
#include "sim_elf.h"
#include "sim_irq.h"

static void changed(struct avr_irq_t *irq, uint32_t value, void *name) {
    (void)irq;
    printf("%s %u\n", (const char *)name, value);
    fflush(stdout);
}

/* Drives a pin from outside: stronger than the chip's own pull-up, until driven anew. */
static void drive(avr_t *avr, char port, int pin, int value) {
    static avr_ioport_external_t external[2] = {{.name = 'B'}, {.name = 'D'}};
    avr_ioport_external_t *e = &external[port == 'D'];
    e->mask |= 1u << pin;
    e->value = (e->value & ~(1u << pin)) | ((unsigned)value << pin);
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), e);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), (uint32_t)value);
}

int main(int argc, char **argv) {
    elf_firmware_t firmware = {0};
    static uart_pty_t pty;
    if (argc != 2 || elf_read_firmware(argv[1], &firmware) != 0) {
        fprintf(stderr, "usage: simavr_runner IMAGE.elf\n");
        return 2;
    }
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    if (!avr)
        return 2;
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    uart_pty_init(avr, &pty);
    uart_pty_connect(&pty, '0');
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), changed, "B5");
    for (int pin = 2; pin < 8; pin++) /* beams unbroken are low, buttons not pressed are high */
        drive(avr, 'D', pin, pin >= 4);
    for (int pin = 0; pin < 2; pin++)
        drive(avr, 'B', pin, 1);
    printf("tty %s\n", pty.pty.slavename);
    fflush(stdout);
    char line[128];
    size_t length = 0;
    avr_cycle_count_t until = 0;
    for (unsigned long turn = 0;; turn++) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the chip stopped\n");
            return 1;
        }
        if (turn % 64 || avr->cycle < until)
            continue;
        struct pollfd input = {.fd = 0, .events = POLLIN};
        while (avr->cycle >= until && poll(&input, 1, 0) > 0) {
            if (read(0, line + length, 1) != 1)
                return 0;
            if (line[length] != '\n') {
                length = length + 1 < sizeof line ? length + 1 : 0;
                continue;
            }
            line[length] = 0;
            length = 0;
            char port;
            int pin, value;
            if (sscanf(line, "pin %c %d %d", &port, &pin, &value) == 3)
                drive(avr, port, pin, value);
            else if (sscanf(line, "wait %d", &value) == 1)
                until = avr->cycle + (avr_cycle_count_t)value * (avr->frequency / 1000);
            else if (!strcmp(line, "reset")) {
                avr_reset(avr);
                until = 0;
            }
            if (!strcmp(line, "mark"))
                changed(NULL, 1, "mark");
            if (!strcmp(line, "quit"))
                return 0;
        }
    }
}
